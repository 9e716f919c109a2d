//! Writes a log of format 4 event by event: sequence numbers, times, ids and append batches.

use serde_json::{Value, json};

/// Everything below is reckoned from here: 2026-11-12T09:41:07Z, in milliseconds since 1970.
const BEGIN: i64 = 1_794_476_467_000;

/// Route of the model, the same in the whole log.
pub const PROVIDER: &str = "deepseek-official";

/// Name of the model.
pub const MODEL: &str = "deepseek-v4-flash";

/// Letters of one streamed piece.
const PIECE: usize = 6;

/// A block of an answer of the model.
pub enum Block<'a> {
    /// Thinking that the chat folds away.
    Reasoning(&'a str),
    /// Text for the person.
    Text(&'a str),
    /// A call: its id, the tool, and the arguments as JSON text.
    Call(&'a str, &'a str, &'a str),
}

impl Block<'_> {
    fn whole(&self) -> Value {
        match self {
            Block::Reasoning(text) => json!({ "type": "reasoning", "text": text }),
            Block::Text(text) => json!({ "type": "text", "text": text }),
            Block::Call(id, name, arguments) => {
                json!({ "type": "tool-call", "id": id, "name": name, "arguments": arguments })
            }
        }
    }
}

/// The place of an event: turn and step, both from 1.
#[derive(Clone, Copy)]
pub struct Place {
    pub turn: u32,
    pub step: u32,
}

/// A log that is being written.
pub struct Scribe {
    frames: Vec<String>,
    batch: String,
    seq: u64,
    now: i64,
    ids: u64,
}

impl Scribe {
    /// Begins with the header line, which is a frame of its own.
    pub fn begin(id: &str, cwd: &str, preset: &str) -> Scribe {
        let header = json!({
            "type": "session", "version": 4, "id": id, "createdAt": BEGIN, "cwd": cwd,
            "isSeeded": false, "delegationDepth": 0, "agentPreset": preset,
        });
        Scribe { frames: vec![format!("{header}\n")], batch: String::new(), seq: 0, now: BEGIN, ids: 0 }
    }

    /// The text of each frame, in order.
    pub fn end(mut self) -> Vec<String> {
        self.flush();
        self.frames
    }

    /// Ends the append batch: what was written since the last one becomes durable together.
    pub fn flush(&mut self) {
        if !self.batch.is_empty() {
            self.frames.push(std::mem::take(&mut self.batch));
        }
    }

    /// Lets time pass, in milliseconds.
    pub fn wait(&mut self, milliseconds: i64) {
        self.now += milliseconds;
    }

    /// An id that looks like the random ones of real logs and is the same each time.
    pub fn id(&mut self) -> String {
        self.ids += 1;
        // The constant of splitmix64 spreads a counter over all bits.
        let low = self.ids.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let high = low.rotate_left(23) ^ 0x51ab_07c3_d2e4_9f68;
        let (a, b, c) = (high >> 32, high >> 16 & 0xffff, high & 0xfff);
        format!("{a:08x}-{b:04x}-4{c:03x}-9{:03x}-{:012x}", low >> 52, low & 0xffff_ffff_ffff)
    }

    /// Writes an event that is only in the log; answers its number.
    pub fn log(&mut self, kind: &str, data: Value) -> u64 {
        let event = self.event(kind, data);
        self.line(&event)
    }

    fn event(&self, kind: &str, data: Value) -> Value {
        let mut event = json!({ "type": kind, "seq": self.seq, "time": self.now });
        event["data"] = data;
        event
    }

    /// Writes an event that the model gets to see. `cites` holds the call of a result.
    pub fn surface(&mut self, kind: &str, data: Value, cites: &[u64]) -> u64 {
        let mut event = self.event(kind, data);
        if !cites.is_empty() {
            event["sourceEventSeqs"] = json!(cites);
        }
        event["surfaceOp"] = json!("append");
        self.line(&event)
    }

    fn line(&mut self, event: &Value) -> u64 {
        self.batch.push_str(&event.to_string());
        self.batch.push('\n');
        let seq = self.seq;
        self.seq += 1;
        self.now += 1 + (seq as i64 * 7) % 5;
        seq
    }

    /// A person queues a prompt and the turn begins with it. Answers the message, for [`Scribe::prompt`].
    pub fn turn(&mut self, turn: u32, text: &str) -> Value {
        let id = self.id();
        let message = json!({
            "id": id, "role": "user", "content": [{ "type": "text", "text": text }],
            "source": { "kind": "user", "clientTimeZone": "Europe/Lisbon" },
        });
        self.log("agent/inbox/spliced", json!({ "target": "next-turn", "start": 0, "inserted": [message] }));
        self.log("turn/start", json!({ "turn": turn }));
        let taken = json!({ "target": "next-turn", "start": 0, "removedCount": 1, "inserted": [] });
        self.log("agent/inbox/spliced", taken);
        message
    }

    /// The model gets the prompt to see.
    pub fn prompt(&mut self, message: Value) -> u64 {
        self.surface("user/message", message, &[])
    }

    /// A step begins.
    pub fn step(&mut self, at: Place) {
        self.log("step/start", json!({ "turn": at.turn, "step": at.step }));
    }

    /// A step ends, and what it wrote is flushed.
    pub fn step_end(&mut self, at: Place) {
        self.log("step/end", json!({ "turn": at.turn, "step": at.step }));
        self.flush();
    }

    /// A turn ends by itself.
    pub fn turn_end(&mut self, turn: u32) {
        self.log("turn/end", json!({ "turn": turn, "reason": { "kind": "completed" } }));
        self.flush();
    }

    /// The model answers: the message with the stream it came in. Tokens are read from the cache but for `input`.
    pub fn answer(&mut self, at: Place, blocks: &[Block<'_>], input: u64, cached: u64) {
        let mut stream = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            self.stream(block, index, &mut stream);
        }
        let calls = blocks.iter().any(|block| matches!(block, Block::Call(..)));
        let output: usize = blocks.iter().map(|block| block.whole().to_string().len().div_ceil(4)).sum();
        let reasoning: usize = blocks.iter().map(|block| thought(block).len().div_ceil(4)).sum();
        let usage = json!({
            "inputTokens": input, "outputTokens": output, "cacheReadTokens": cached,
            "reasoningTokens": reasoning, "totalTokens": input + output as u64 + cached,
        });
        stream.push(self.chunk(json!({ "type": "usage", "usage": usage })));
        let kind = if calls { "tool-calls" } else { "stop" };
        stream.push(self.chunk(json!({ "type": "finish", "reason": { "kind": kind } })));
        let content: Vec<Value> = blocks.iter().map(Block::whole).collect();
        let message = json!({
            "role": "assistant", "content": content,
            "source": { "kind": "model", "provider": PROVIDER, "model": MODEL }, "id": self.id(),
        });
        self.now += 2;
        let data = json!({
            "turn": at.turn, "step": at.step, "message": message, "usage": usage, "stream": stream,
        });
        self.surface("assistant/message", data, &[]);
        self.flush();
    }

    /// The model breaks off after some text: an attempt without a message.
    pub fn broken_attempt(&mut self, at: Place, text: &str, failure: &Value) {
        let mut stream = vec![self.chunk(json!({ "type": "block-start", "index": 0, "blockType": "text" }))];
        stream.push(self.pieces("text", 0, text, None));
        self.now += 1200;
        let reason = json!({ "kind": "error", "failure": failure });
        stream.push(self.chunk(json!({ "type": "finish", "reason": reason })));
        self.log("assistant/attempt", json!({ "turn": at.turn, "step": at.step, "stream": stream }));
    }

    fn stream(&mut self, block: &Block<'_>, index: usize, stream: &mut Vec<Value>) {
        self.now += 180;
        let (kind, text, call) = match block {
            Block::Reasoning(text) => ("reasoning", text, None),
            Block::Text(text) => ("text", text, None),
            Block::Call(id, name, arguments) => ("tool-call", arguments, Some((*id, *name))),
        };
        stream.push(self.chunk(json!({ "type": "block-start", "index": index, "blockType": kind })));
        stream.push(self.pieces(kind, index, text, call));
        stream.push(self.chunk(json!({ "type": "block-end", "index": index, "block": block.whole() })));
    }

    fn chunk(&mut self, chunk: Value) -> Value {
        self.now += 1;
        let mut record = json!({ "type": "chunk", "time": self.now });
        record["chunk"] = chunk;
        record
    }

    /// A run of deltas, packed as the harness stores them.
    fn pieces(&mut self, kind: &str, index: usize, text: &str, call: Option<(&str, &str)>) -> Value {
        let letters: Vec<char> = text.chars().collect();
        let texts: Vec<String> = letters.chunks(PIECE).map(|piece| piece.iter().collect()).collect();
        let gaps: Vec<i64> = (1..texts.len() as i64).map(|at| 9 + (at * at) % 23).collect();
        let begin = self.now;
        self.now += gaps.iter().sum::<i64>();
        match call {
            None => json!({
                "type": format!("{kind}-chunks"), "time0": begin, "index": index, "dt": gaps, "texts": texts,
            }),
            Some((id, name)) => json!({
                "type": "tool-call-chunks", "time0": begin, "index": index, "dt": gaps,
                "id": id, "name": name, "args": texts,
            }),
        }
    }

    /// A call enters the pipeline; answers its number.
    pub fn call(&mut self, at: Place, call: &Block<'_>) -> u64 {
        let Block::Call(id, name, arguments) = call else { unreachable!("only calls are called") };
        let data = json!({
            "turn": at.turn, "step": at.step, "callId": id, "name": name, "arguments": arguments,
        });
        let seq = self.log("tool/call", data);
        self.flush();
        seq
    }

    /// A call comes back. `more` may hold `error` and `meta`.
    pub fn result(&mut self, at: Place, call: (&Block<'_>, u64), text: &str, is_error: bool, more: &[(&str, Value)]) {
        let (Block::Call(id, ..), seq) = call else { unreachable!("only calls have results") };
        let message = json!({
            "role": "tool", "source": { "kind": "tool", "callId": id }, "toolCallId": id,
            "content": [{ "type": "text", "text": text }], "isError": is_error, "id": self.id(),
        });
        let mut data = json!({ "turn": at.turn, "step": at.step, "message": message });
        for (key, value) in more {
            data[*key] = value.clone();
        }
        self.surface("tool/result", data, &[seq]);
    }

    /// A person is asked, thinks for some milliseconds, and decides.
    pub fn approval(&mut self, call: &Block<'_>, reason: &str, waited: i64, outcome: &str) {
        let Block::Call(id, name, _) = call else { unreachable!("only calls are asked about") };
        let approval = self.id();
        let asked = json!({ "id": approval, "toolName": name, "callId": id, "reason": reason });
        self.log("approval/asked", asked);
        self.flush();
        self.now += waited;
        self.log("approval/decided", json!({ "id": approval, "outcome": outcome }));
    }
}

fn thought<'a>(block: &Block<'a>) -> &'a str {
    match block {
        Block::Reasoning(text) => text,
        Block::Text(_) | Block::Call(..) => "",
    }
}
