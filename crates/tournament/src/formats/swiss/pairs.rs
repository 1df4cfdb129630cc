use integer_blossom::min_weight_perfect_matching;

use crate::EntrantId;
use crate::formats::swiss::Candidate;
use crate::meetings::Meetings;
use crate::standing::FULL_SCORE;

/// The pairs of a round at tables of 2; with an odd number one stays without.
///
/// A perfect matching of least cost: first as few rematches and second byes as can be, then near scores, then, among
/// equals, the upper half against the lower. `ranked` is cut into windows, each matched exactly; a window that cannot
/// avoid a rematch is joined with its neighbour, up to [`WIDEST`]. So it is exact up to [`WINDOW`] entrants, and near
/// that beyond.
pub(crate) fn pair(ranked: &[Candidate], meetings: &Meetings) -> Vec<Vec<EntrantId>> {
    let mut windows: Vec<Window> = Vec::new();
    let mut start = 0;
    while start < ranked.len() {
        let mut end = window_end(start, ranked.len());
        let mut window = Window::matched(ranked, meetings, start, end);
        while window.rematch && end < ranked.len() && end - start < WIDEST {
            end = window_end(end, ranked.len());
            window = Window::matched(ranked, meetings, start, end);
        }
        while window.rematch && end == ranked.len() && end - start < WIDEST {
            let Some(before) = windows.pop() else { break };
            start = before.start;
            window = Window::matched(ranked, meetings, start, end);
        }
        windows.push(window);
        start = end;
    }
    windows.into_iter().flat_map(|window| window.pairs).collect()
}

/// Entrants that are matched at once. Even, so that only the last window can have a bye.
const WINDOW: usize = 128;
/// The size from which a window is not joined with another.
const WIDEST: usize = 4 * WINDOW;

/// A rematch costs more than all else in a window can.
const REMATCH: i64 = 1 << 44;
/// The most that the differences of scores cost.
const FARTHEST: i64 = 1 << 11;
/// The most that the place among equals costs.
const FOLD: i64 = 1 << 10;

struct Window {
    start: usize,
    pairs: Vec<Vec<EntrantId>>,
    rematch: bool,
}

/// A window takes in the rest where that would be less than half of one.
fn window_end(start: usize, all: usize) -> usize {
    if all - start < WINDOW + WINDOW / 2 { all } else { start + WINDOW }
}

impl Window {
    fn matched(ranked: &[Candidate], meetings: &Meetings, start: usize, end: usize) -> Self {
        let window = &ranked[start..end];
        let size = window.len() + window.len() % 2;
        let groups = Groups::of(window);
        let mut costs = vec![0; size * size];
        for a in 0..window.len() {
            for b in a + 1..size {
                costs[a * size + b] = match window.get(b) {
                    Some(other) => {
                        let met = meetings.between(window[a].entrant, other.entrant);
                        cost(met, window[a].score.abs_diff(other.score)) + groups.fold(a, b)
                    }
                    None => cost(window[a].byes, window[a].score - window[window.len() - 1].score),
                };
            }
        }
        let mates = min_weight_perfect_matching(&costs, size);
        let edges = || (0..size).map(|a| (a, mates[a])).filter(|(a, b)| a < b);
        let rematch = edges().any(|(a, b)| costs[a * size + b] >= REMATCH);
        let pairs = edges()
            .filter(|&(_, b)| b < window.len())
            .map(|(a, b)| vec![window[a].entrant, window[b].entrant])
            .collect();
        Self { start, pairs, rematch }
    }
}

fn cost(times: u32, apart: u64) -> i64 {
    let steps = ((apart * 8 / FULL_SCORE) as i64).min(FARTHEST);
    i64::from(times.min(64)) * REMATCH + steps * steps * FOLD
}

/// For each of a window the first and the number of those with its score.
struct Groups {
    spans: Vec<(usize, usize)>,
}

impl Groups {
    fn of(window: &[Candidate]) -> Self {
        let mut spans = Vec::with_capacity(window.len());
        for group in window.chunk_by(|a, b| a.score == b.score) {
            let first = spans.len();
            spans.extend(std::iter::repeat_n((first, group.len()), group.len()));
        }
        Self { spans }
    }

    /// How far two of one group are from being half of it apart; 0 for others.
    fn fold(&self, a: usize, b: usize) -> i64 {
        let (first, length) = self.spans[a];
        if b >= first + length {
            return 0;
        }
        (a.abs_diff(b).abs_diff(length / 2) as i64).min(FOLD - 1)
    }
}
