use super::*;
use crate::app::bench::{Bench, session};
use crate::app::calls::Node;
use crate::app::key::{Key, KeyCode, MouseEvent, MouseKind};
use crate::app::message::{Epoch, OddFile, OddKind, Progress, SummaryKey, Ticket};
use crate::app::model::{Pane, Zoom};
use crate::app::overlay::Overlay;
use crate::app::page::PageKind;
use crate::app::selection::Selection;
use crate::app::timeline::{Item, RowKind};
use crate::session::row::{EventRef, RowIx};
use crate::triage::session::Extent;
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::Arc;

mod anything;
mod citing;
mod family;
mod filter_line;
mod filtering;
mod follow;
mod log;
mod moving;
mod opening;
mod reading;
mod searching;

use log::{broken, grown, healthy, odd, open_call};
