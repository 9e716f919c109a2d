//! What is on the screen: whole screens at four sizes, as files to read.
//!
//! Read a changed file as a tired reader would before you accept it: `cargo insta review`, or `INSTA_UPDATE=always`.

use std::fmt::Write;

use insta::Settings;

use super::support::stage::Stage;

/// Columns and rows: roomy, usual, one pane, hardly anything.
const SIZES: [(u16, u16); 4] = [(140, 45), (80, 24), (40, 12), (20, 5)];

/// The sizes that have four panes.
const LARGE: [(u16, u16); 2] = [SIZES[0], SIZES[1]];

/// A log of this folder, as it is read.
fn log(path: &str) -> Vec<u8> {
    let folder = env!("CARGO_MANIFEST_DIR");
    std::fs::read(format!("{folder}/{path}")).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Opens a log at each size, presses keys, and compares with the file `NAME.snap`.
fn compare(name: &str, path: &str, keys: &str, sizes: &[(u16, u16)]) {
    let bytes = log(path);
    let mut screens = format!("{path}   keys: {}\n", if keys.is_empty() { "none" } else { keys });
    for (columns, rows) in sizes {
        let mut stage = Stage::open(bytes.clone(), path, *columns, *rows);
        stage.press(keys);
        writeln!(screens, "\n== {columns}x{rows}\n{}", stage.text()).expect("a string takes all");
    }
    keep(name, &screens);
}

/// Compares screens with the file `NAME.snap`.
pub fn keep(name: &str, screens: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, screens));
}

pub const SAMPLE: &str = "assets/sample/session.v4.jsonl.zstd";

/// Tests of the start of a log: name of the file, then of the log.
macro_rules! starts {
    ($($test:ident $path:literal)*) => {$(
        #[test]
        fn $test() {
            compare(stringify!($test), concat!("tests/cases/", $path), "", &SIZES);
        }
    )*};
}

starts! {
    case_01_healthy "01-healthy-turn/session.jsonl.zstd"
    case_04_torn_tail "04-torn-tail-with-lines-inside/session.jsonl.zstd"
    case_05_checksum "05-checksum-mismatch-in-the-middle/session.jsonl.zstd"
    case_07_no_header "07-header-frame-missing/session.jsonl.zstd"
    case_08_empty "08-empty-file/session.jsonl.zstd"
    case_09_header_only "09-header-only/session.jsonl.zstd"
    case_13_recovered "13-recovery-records-written/session.jsonl.zstd"
    case_15_raw_arguments "15-raw-arguments/session.jsonl.zstd"
    case_16_empty_call_ids "16-empty-call-ids/session.jsonl.zstd"
    case_17_sub_calls "17-code-call-with-sub-calls/session.jsonl.zstd"
    case_19_no_decision "19-approval-never-decided/session.jsonl.zstd"
    case_21_approvals "21-approval-outcomes/session.jsonl.zstd"
    case_22_two_writers "22-two-writers-same-seq/session.jsonl.zstd"
    case_27_unknown_types "27-unknown-event-types/session.jsonl.zstd"
    case_28_escapes "28-terminal-escapes-in-output/session.jsonl.zstd"
    case_29_wide "29-wide-text-and-mojibake/session.jsonl.zstd"
    case_30_surrogate "30-lone-surrogate-escape/session.jsonl.zstd"
    case_34_fork "34-fork-with-inherited-history/session.jsonl.zstd"
    case_40_newer "40-newer-format/session.v9.jsonl.zstd"
}

#[test]
fn sample() {
    compare("sample", SAMPLE, "", &SIZES);
}

#[test]
fn filter_line() {
    compare("filter_line", SAMPLE, "ftype:tool/* state:", &SIZES);
}

#[test]
fn filter_line_wrong() {
    compare("filter_line_wrong", SAMPLE, "ftype:approval/* waited:>30", &SIZES);
}

#[test]
fn filter_kept() {
    compare("filter_kept", SAMPLE, "ftool:bash !is:hidden<Enter>", &LARGE);
}

#[test]
fn type_picker() {
    compare("type_picker", SAMPLE, "t", &SIZES);
}

#[test]
fn type_picker_narrowed() {
    compare("type_picker_narrowed", SAMPLE, "tnt", &LARGE);
}

#[test]
fn only_tools() {
    compare("only_tools", SAMPLE, "tnt<Enter>", &LARGE);
}

#[test]
fn help() {
    compare("help", SAMPLE, "?", &SIZES);
}

#[test]
fn header_page() {
    compare("header_page", SAMPLE, "i", &SIZES);
}

#[test]
fn six_steps() {
    compare("six_steps", SAMPLE, "T", &SIZES);
}

#[test]
fn ladder() {
    compare("ladder", SAMPLE, "U", &SIZES);
}

#[test]
fn ladder_ran_twice() {
    compare("ladder_ran_twice", "tests/cases/26-real-result-after-recovery/session.jsonl.zstd", "U", &LARGE);
}

#[test]
fn silent_model() {
    compare("silent_model", SAMPLE, "R", &SIZES);
}

#[test]
fn silent_model_with_retries() {
    compare("silent_model_with_retries", "tests/cases/33-usage-samples-and-retry/session.jsonl.zstd", "R", &LARGE);
}

#[test]
fn time_page() {
    compare("time_page", SAMPLE, "W", &SIZES);
}

#[test]
fn time_of_a_step() {
    compare("time_of_a_step", SAMPLE, "Wll", &LARGE);
}

#[test]
fn time_with_a_step_back() {
    compare("time_with_a_step_back", "tests/cases/32-clock-steps-back/session.jsonl.zstd", "W", &LARGE);
}

#[test]
fn changed_files() {
    compare("changed_files", SAMPLE, "D", &SIZES);
}

#[test]
fn originals() {
    compare("originals", SAMPLE, "O", &SIZES);
}

#[test]
fn request_page() {
    compare("request_page", SAMPLE, "P", &SIZES);
}

#[test]
fn arguments_that_are_no_json() {
    let path = "tests/cases/15-raw-arguments/session.jsonl.zstd";
    compare("arguments_that_are_no_json", path, ":4<Enter><Tab><Tab>+", &LARGE);
}

#[test]
fn state_before_a_switch() {
    compare("state_before_a_switch", "tests/cases/21-approval-outcomes/session.jsonl.zstd", "ggi4j", &LARGE);
}

#[test]
fn approvals_page() {
    compare("approvals_page", "tests/cases/21-approval-outcomes/session.jsonl.zstd", "A", &SIZES);
}

#[test]
fn approvals_open() {
    compare("approvals_open", "tests/cases/19-approval-never-decided/session.jsonl.zstd", "A", &LARGE);
}

#[test]
fn approvals_unasked() {
    compare("approvals_unasked", SAMPLE, "Av", &LARGE);
}

#[test]
fn container_damaged() {
    compare("container_damaged", "tests/cases/05-checksum-mismatch-in-the-middle/session.jsonl.zstd", "C", &SIZES);
}

#[test]
fn container_two_writers() {
    compare("container_two_writers", "tests/cases/22-two-writers-same-seq/session.jsonl.zstd", "Clll", &LARGE);
}

#[test]
fn container_torn() {
    compare("container_torn", "tests/cases/04-torn-tail-with-lines-inside/session.jsonl.zstd", "C", &LARGE);
}

#[test]
fn container_plain() {
    compare("container_plain", "tests/cases/24-gap-after-the-last-closed-turn-plain/session.jsonl", "C", &LARGE);
}

#[test]
fn bug_report() {
    compare("bug_report", "tests/cases/47-secret-in-arguments/session.jsonl.zstd", "ub", &SIZES);
}

#[test]
fn bug_report_asks() {
    compare("bug_report_asks", "tests/cases/47-secret-in-arguments/session.jsonl.zstd", "uba", &SIZES);
}

#[test]
fn bug_report_with_arguments() {
    compare("bug_report_with_arguments", "tests/cases/47-secret-in-arguments/session.jsonl.zstd", "ubar", &LARGE);
}

#[test]
fn copy_menu() {
    compare("copy_menu", SAMPLE, "y", &SIZES);
}

#[test]
fn approvals_tab() {
    compare("approvals_tab", SAMPLE, "LLL", &LARGE);
}

#[test]
fn approval_declined() {
    compare("approval_declined", SAMPLE, "[e", &LARGE);
}

#[test]
fn record_tab() {
    compare("record_tab", SAMPLE, "LLLL", &LARGE);
}

#[test]
fn changes_tab() {
    compare("changes_tab", SAMPLE, "32GLL", &LARGE);
}

#[test]
fn result_with_escapes() {
    compare("result_with_escapes", "tests/cases/28-terminal-escapes-in-output/session.jsonl.zstd", "]cL", &LARGE);
}

#[test]
fn stream_unfolded() {
    compare("stream_unfolded", SAMPLE, "88Gl", &LARGE);
}

#[test]
fn chat_only() {
    compare("chat_only", SAMPLE, "v", &SIZES);
}

#[test]
fn hidden_only() {
    compare("hidden_only", SAMPLE, "vv", &LARGE);
}

#[test]
fn first_rows() {
    compare("first_rows", SAMPLE, "gg", &SIZES);
}

#[test]
fn search() {
    compare("search", SAMPLE, "/deploy", &SIZES);
}

#[test]
fn search_kept() {
    compare("search_kept", SAMPLE, "/deploy<Enter>n", &LARGE);
}

#[test]
fn prefix_waits() {
    compare("prefix_waits", SAMPLE, "]", &SIZES);
}

#[test]
fn calls_focused() {
    compare("calls_focused", SAMPLE, "<Tab>", &SIZES);
}

#[test]
fn detail_whole() {
    compare("detail_whole", SAMPLE, "<Enter>++", &LARGE);
}

#[test]
fn answer_of_the_model() {
    compare("answer_of_the_model", SAMPLE, "80G", &LARGE);
}
