//! File names of a log and the format version they claim (docs/FORMAT.md section 1.4).

/// Version in a canonical file name: `session.jsonl[.zstd]` is 0, `session.vN.jsonl[.zstd]` is N, without leading zero.
///
/// `None` for every other name: it claims nothing.
#[must_use]
pub fn version_of(file_name: &str) -> Option<i64> {
    let stem = file_name.strip_suffix(".zstd").unwrap_or(file_name).strip_suffix(".jsonl")?;
    let rest = stem.strip_prefix("session")?;
    if rest.is_empty() {
        return Some(0);
    }
    let digits = rest.strip_prefix(".v")?;
    let is_canonical =
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    // A number beyond all versions is still a claim, and no header agrees with it.
    is_canonical.then(|| digits.parse().unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::version_of;

    #[test]
    fn only_canonical_names_claim_a_version() {
        for (name, version) in [
            ("session.jsonl", Some(0)),
            ("session.jsonl.zstd", Some(0)),
            ("session.v3.jsonl", Some(3)),
            ("session.v12.jsonl.zstd", Some(12)),
            ("session.v0.jsonl", None),
            ("session.v02.jsonl", None),
            ("session.V2.jsonl", None),
            ("session.v.jsonl", None),
            ("session.v+3.jsonl", None),
            ("session.v99999999999999999999.jsonl", Some(i64::MAX)),
            ("session.jsonl.zstd.bak", None),
            ("final.jsonl.zstd", None),
            ("", None),
        ] {
            assert_eq!(version_of(name), version, "{name}");
        }
    }
}
