use super::super::influence::Score;
use super::super::matrix::Matrix;
use super::super::results::Results;
use super::finish::{Finish, Told};
use crate::EntrantId;

/// The finishing orders of a tournament, ready to be asked how likely they are.
///
/// The parameters are the logarithms of the strengths of those that played, by entrant, and then the logarithm of `tie`, if
/// anybody ever tied.
pub(super) struct Likelihood {
    entrants: Vec<EntrantId>,
    /// The finishing orders, block by block.
    blocks: Vec<Vec<Finish>>,
    ties: bool,
}

/// The logarithm of the likelihood, and its derivatives.
pub(super) struct At {
    pub(super) value: f64,
    pub(super) slopes: Vec<f64>,
    /// Minus the second derivatives.
    pub(super) information: Matrix,
}

/// The logarithm of the likelihood of the ghost's games with one parameter, and its derivatives.
pub(super) struct Ghost {
    value: f64,
    pub(super) slope: f64,
    information: f64,
}

/// Parameters as the likelihood uses them.
pub(super) struct Parameters<'a> {
    pub(super) logs: &'a [f64],
    /// The first, second and so on root of each strength.
    pub(super) roots: Vec<Vec<f64>>,
    pub(super) tie: f64,
    /// The parameter of ties, where there are any.
    pub(super) tie_index: Option<usize>,
}

/// Games won, and as many lost, against the ghost; and ties, and as many others, between equals.
const GHOST: f64 = 0.5;

impl Likelihood {
    pub(super) fn of(results: &Results<'_>) -> Likelihood {
        let mut played = vec![false; results.entrants()];
        let seats = results.games().flat_map(|game| &game.seating);
        seats.for_each(|entrant| played[entrant.index()] = true);
        let mut indices = vec![0; results.entrants()];
        let mut entrants = Vec::new();
        for (entrant, _) in played.iter().enumerate().filter(|(_, played)| **played) {
            indices[entrant] = entrants.len();
            entrants.push(EntrantId(entrant as u32));
        }
        let finishes = |block: &&crate::BlockResult| -> Vec<Finish> {
            block.games.iter().map(|game| Finish::of(game, &indices)).collect()
        };
        let blocks: Vec<Vec<Finish>> = results.blocks().iter().map(finishes).collect();
        let ties = blocks.iter().flatten().any(|finish| finish.largest_tie() > 1);
        Likelihood { entrants, blocks, ties }
    }

    pub(super) fn entrants(&self) -> &[EntrantId] {
        &self.entrants
    }

    /// How many parameters there are.
    pub(super) fn size(&self) -> usize {
        self.entrants.len() + usize::from(self.ties)
    }

    /// Where to look for the maximum from: everybody alike, and `tie` about as large as it will be.
    pub(super) fn start(&self) -> Vec<f64> {
        let mut logs = vec![0.0; self.size()];
        if let (true, Some(tie)) = (self.ties, logs.last_mut()) {
            let groups = || self.blocks.iter().flatten().flat_map(Finish::groups);
            let shared: usize = groups().map(|group| group - 1).sum();
            *tie = libm::log(shared as f64 / groups().count() as f64);
        }
        logs
    }

    pub(super) fn parameters<'p>(&self, logs: &'p [f64]) -> Parameters<'p> {
        let largest = self.blocks.iter().flatten().map(Finish::largest_tie).max().unwrap_or(1);
        let strengths = &logs[..self.entrants.len()];
        let roots = |degree| strengths.iter().map(|log| libm::exp(log / degree as f64)).collect();
        let tie_index = self.ties.then_some(self.entrants.len());
        Parameters {
            logs,
            roots: (1..=largest).map(roots).collect(),
            tie: tie_index.map_or(0.0, |index| libm::exp(logs[index])),
            tie_index,
        }
    }

    /// The logarithm of the likelihood, the ghost's games included, and its derivatives.
    pub(super) fn at(&self, logs: &[f64]) -> At {
        let parameters = self.parameters(logs);
        let mut at = At { value: 0.0, slopes: vec![0.0; logs.len()], information: Matrix::zero(logs.len()) };
        let mut told = Told::default();
        for finish in self.blocks.iter().flatten() {
            finish.tell(&parameters, &mut told);
            at.value += told.value;
            for (i, one) in told.parameters.iter().enumerate() {
                at.slopes[*one] += told.slopes[i];
                for (other, information) in told.parameters.iter().zip(told.information_of(i)) {
                    at.information.add(*one, *other, *information);
                }
            }
        }
        for (index, ghost) in self.ghost(logs).enumerate() {
            at.value += ghost.value;
            at.slopes[index] += ghost.slope;
            at.information.add(index, index, ghost.information);
        }
        at
    }

    /// What the ghost's games say of each parameter.
    pub(super) fn ghost(&self, logs: &[f64]) -> impl Iterator<Item = Ghost> {
        let entrants = self.entrants.len();
        logs.iter().enumerate().map(move |(index, log)| {
            // A strength meets the ghost's 1, and a tie of equals the two orders that they can have.
            let against = if index < entrants { 1.0 } else { 2.0 };
            let weight = libm::exp(*log);
            let chance = weight / (against + weight);
            Ghost {
                value: GHOST * (log - 2.0 * libm::log(against + weight)),
                slope: GHOST * (1.0 - 2.0 * chance),
                information: 2.0 * GHOST * chance * (1.0 - chance),
            }
        })
    }

    /// What each block says at these parameters, those without games left out.
    pub(super) fn scores(&self, logs: &[f64], inverse: &Matrix) -> Vec<Score> {
        let parameters = self.parameters(logs);
        let mut told = Told::default();
        let mut score = |finishes: &Vec<Finish>| {
            let (mut score, mut used) = (Score::default(), 0.0);
            for finish in finishes {
                finish.tell(&parameters, &mut told);
                for (i, one) in told.parameters.iter().enumerate() {
                    score.add(*one, told.slopes[i]);
                    let row = inverse.row(*one);
                    let informed = told.parameters.iter().zip(told.information_of(i));
                    used += informed.map(|(other, information)| row[*other] * information).sum::<f64>();
                }
            }
            score.use_up(used);
            score
        };
        self.blocks.iter().filter(|finishes| !finishes.is_empty()).map(&mut score).collect()
    }
}
