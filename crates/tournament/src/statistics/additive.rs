use super::bootstrap::Bootstrap;
use super::estimate::Estimate;
use super::influence::{Fit, Score};
use super::matrix::Matrix;
use super::results::Results;
use crate::Game;

/// Margins by the additive model.
#[derive(Debug)]
pub(crate) struct Margins {
    /// For each entrant that met another: its group, and its margin against the mean of the others in it.
    pub(crate) of: Vec<Option<(u32, Estimate)>>,
    pub(crate) groups: u32,
}

/// The additive model: points of a seat = effect of the game - effect of the entrant + chance, fitted by least squares.
///
/// The game's effect is that of its deal, and of the game itself where a deal is played by different entrants; it takes up
/// whatever raises everybody's points alike. What is left of an entrant is how far it ends below those that it sat with,
/// with their strength allowed for. This is the intra-block analysis of an incomplete block design (Yates 1940; John and
/// Williams 1995, "Cyclic and computer generated designs", section 1.4), a game being its block. Only differences of effects
/// can be known, and only between entrants that games join, directly or through others: each such group is fitted by
/// itself. What is given is effect less the mean of the other effects of the group. Where all meet equally often, that is
/// exactly the mean of the margins as they were.
pub(crate) fn margins(results: &Results<'_>, seed: &[u8]) -> Margins {
    let groups = Groups::of(results);
    let mut games = vec![Vec::new(); groups.sizes.len()];
    for (number, block) in results.blocks().iter().enumerate() {
        for game in &block.games {
            if let Some((group, _)) = groups.seats[game.seating[0].index()] {
                games[group].push((number, game));
            }
        }
    }
    let bootstrap = Bootstrap::new("margins", seed, results.blocks().len());
    let fits = groups.sizes.iter().zip(&games).map(|(size, games)| fit(&groups, *size, games, &bootstrap));
    let fits: Vec<Option<Vec<Estimate>>> = fits.collect();
    let margin = |seat: &Option<(usize, usize)>| {
        let (group, index) = (*seat)?;
        Some((group as u32, fits[group].as_ref()?[index]))
    };
    Margins { of: groups.seats.iter().map(margin).collect(), groups: groups.sizes.len() as u32 }
}

/// Entrants that are joined by games, directly or through others.
struct Groups {
    /// For each entrant that met another: its group, and its index in it.
    seats: Vec<Option<(usize, usize)>>,
    sizes: Vec<usize>,
}

impl Groups {
    fn of(results: &Results<'_>) -> Groups {
        let mut roots: Vec<usize> = (0..results.entrants()).collect();
        let mut met = vec![false; results.entrants()];
        for game in results.games() {
            let first = game.seating[0].index();
            for other in game.seating[1..].iter().map(|other| other.index()).filter(|other| *other != first) {
                (met[first], met[other]) = (true, true);
                let (one, other) = (root(&mut roots, first), root(&mut roots, other));
                roots[one.max(other)] = one.min(other);
            }
        }
        let mut group_of_root = vec![None; results.entrants()];
        let (mut seats, mut sizes) = (vec![None; results.entrants()], Vec::new());
        for entrant in (0..results.entrants()).filter(|entrant| met[*entrant]) {
            let group = *group_of_root[root(&mut roots, entrant)].get_or_insert_with(|| {
                sizes.push(0);
                sizes.len() - 1
            });
            seats[entrant] = Some((group, sizes[group]));
            sizes[group] += 1;
        }
        Groups { seats, sizes }
    }
}

fn root(roots: &mut [usize], mut entrant: usize) -> usize {
    while roots[entrant] != entrant {
        roots[entrant] = roots[roots[entrant]];
        entrant = roots[entrant];
    }
    entrant
}

/// Fits one group; its games come with the position of their block.
fn fit(
    groups: &Groups,
    size: usize,
    games: &[(usize, &Game)],
    bootstrap: &Bootstrap,
) -> Option<Vec<Estimate>> {
    let seats = |game: &Game| -> Vec<(usize, f64)> {
        let index = |(entrant, points): (&crate::EntrantId, &u32)| {
            groups.seats[entrant.index()].map(|(_, index)| (index, f64::from(*points)))
        };
        game.seating.iter().zip(&game.points).filter_map(index).collect()
    };
    let (mut information, mut sums) = (Matrix::zero(size), vec![0.0; size]);
    for (_, game) in games {
        let seats = seats(game);
        let share = 1.0 / seats.len() as f64;
        let mean = share * seats.iter().map(|seat| seat.1).sum::<f64>();
        for (one, points) in &seats {
            sums[*one] += mean - points;
            information.add(*one, *one, 1.0);
            seats.iter().for_each(|(other, _)| information.add(*one, *other, -share));
        }
    }
    // The same added to all cells fixes the sum of the effects at 0 and changes nothing else.
    information.add_everywhere(information.trace() / (size * size) as f64);
    let inverse = information.inverse()?;
    let effects = inverse.times(&sums);
    let blocks = games.chunk_by(|one, other| one.0 == other.0);
    let score = |block: &[(usize, &Game)]| {
        let games = block.iter().map(|(_, game)| seats(game));
        score(games, &effects, &inverse)
    };
    let scores: Vec<Score> = blocks.map(score).collect();
    let scale = size as f64 / (size as f64 - 1.0);
    let fit = Fit { values: &effects, entrants: size, inverse: &inverse, scores: &scores, prior: &[] };
    Some(fit.effects(scale, bootstrap))
}

fn score(games: impl Iterator<Item = Vec<(usize, f64)>>, effects: &[f64], inverse: &Matrix) -> Score {
    let (mut score, mut used) = (Score::default(), 0.0);
    for seats in games {
        let share = 1.0 / seats.len() as f64;
        let level = share * seats.iter().map(|(one, points)| points + effects[*one]).sum::<f64>();
        for (one, points) in &seats {
            score.add(*one, level - points - effects[*one]);
            let row = inverse.row(*one);
            used += row[*one] - share * seats.iter().map(|(other, _)| row[*other]).sum::<f64>();
        }
    }
    score.use_up(used);
    score
}
