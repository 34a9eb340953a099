use std::{collections::HashMap, fmt::{self, Display}};

/// What may go wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure<'a> {
    Missing(&'a str),
    Broken { line: usize, why: String },
}

impl<'a> Display for Failure<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Missing(name) => write!(f, "no {name}"),
            Failure::Broken { line, why } => write!(f, "line {}: {}", line, why),
        }
    }
}

pub fn read(text: &str) -> Result<HashMap<String, u32>, Failure<'_>> {
    let mut all = HashMap::new();
    for (n, line) in text.lines().enumerate() {
        let (key, value) = line.split_once('=').ok_or(Failure::Missing("="))?;
        let value = value.parse().map_err(|e| Failure::Broken { line: n + 1, why: format!("{e}") })?;
        all.insert(key.to_owned(), value); /* the last one counts */
    }
    Ok(all)
}
