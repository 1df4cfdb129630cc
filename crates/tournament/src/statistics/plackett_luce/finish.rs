use super::likelihood::Parameters;
use crate::Game;

/// The order in which the seats of one game finished.
pub(super) struct Finish {
    /// The parameters of the seats' entrants, from the first place on.
    order: Vec<usize>,
    groups: Vec<usize>,
}

/// The largest group that the model lets share a place; a larger one is taken as several, one after the other.
const LARGEST_TIE: usize = 4;

/// What a finish tells of the parameters: its log-likelihood and the derivatives.
#[derive(Default)]
pub(super) struct Told {
    pub(super) value: f64,
    /// The parameters that it tells of: one for each seat, which need not differ, and that of ties, if there is one.
    pub(super) parameters: Vec<usize>,
    /// The first derivatives, by position in `parameters`.
    pub(super) slopes: Vec<f64>,
    /// Minus the second derivatives, row by row.
    information: Vec<f64>,
    choice: Choice,
}

impl Finish {
    /// The finish of a game, `indices` giving the parameter of each entrant.
    pub(super) fn of(game: &Game, indices: &[usize]) -> Finish {
        let mut seats: Vec<usize> = (0..game.seating.len()).collect();
        seats.sort_by_key(|seat| game.places[*seat]);
        let shared = seats.chunk_by(|one, other| game.places[*one] == game.places[*other]);
        Finish {
            groups: shared.flat_map(|group| group.chunks(LARGEST_TIE).map(<[usize]>::len)).collect(),
            order: seats.iter().map(|seat| indices[game.seating[*seat].index()]).collect(),
        }
    }

    /// The sizes of the groups that share a place, from the first on; 1 for a place of one's own.
    pub(super) fn groups(&self) -> &[usize] {
        &self.groups
    }

    pub(super) fn largest_tie(&self) -> usize {
        self.groups.iter().copied().max().unwrap_or(1)
    }

    /// Tells of the parameters. What was in `told` before is lost.
    pub(super) fn tell(&self, parameters: &Parameters<'_>, told: &mut Told) {
        told.parameters.clear();
        told.parameters.extend(self.order.iter().chain(&parameters.tie_index));
        let size = told.parameters.len();
        told.value = 0.0;
        told.slopes.clear();
        told.slopes.resize(size, 0.0);
        told.information.clear();
        told.information.resize(size * size, 0.0);
        let mut first = 0;
        for group in &self.groups {
            if first + 1 < self.order.len() {
                told.choose(parameters, &self.order, first, *group);
            }
            first += group;
        }
    }
}

impl Told {
    /// Minus the second derivatives by the parameter at a position and by each.
    pub(super) fn information_of(&self, position: usize) -> &[f64] {
        let size = self.parameters.len();
        &self.information[position * size..(position + 1) * size]
    }

    /// Adds that of those from position `first` on, the next `group` took the place.
    fn choose(&mut self, parameters: &Parameters<'_>, order: &[usize], first: usize, group: usize) {
        let size = self.parameters.len();
        self.choice.weigh(parameters, &order[first..]);
        let Choice { total, means, squares, .. } = &self.choice;
        let span = means.len();
        // The last of the means is that of ties, which stands last in the slopes too, or nowhere.
        let position = |i: usize| if i + 1 < span { first + i } else { order.len() };
        let used = if parameters.tie_index.is_some() { span } else { span - 1 };
        for i in 0..used {
            let mean = means[i] / total;
            self.slopes[position(i)] -= mean;
            for j in 0..used {
                let information = squares[i * span + j] / total - mean * (means[j] / total);
                self.information[position(i) * size + position(j)] += information;
            }
        }
        let share = 1.0 / group as f64;
        let shared = (group - 1) as f64;
        for (slope, index) in self.slopes[first..first + group].iter_mut().zip(&order[first..]) {
            *slope += share;
            self.value += share * parameters.logs[*index];
        }
        if let Some(index) = parameters.tie_index {
            self.slopes[order.len()] += shared;
            self.value += shared * parameters.logs[index];
        }
        self.value -= libm::log(*total);
    }
}

/// All sets of entrants that could take a place, weighed.
#[derive(Default)]
struct Choice {
    /// The sum of all weights.
    total: f64,
    /// For each entrant that is left the sum of weight / size over the sets that it is in; then, for ties, that of
    /// weight x (size - 1).
    means: Vec<f64>,
    /// The sums of weight x the products of the same factors, row by row.
    squares: Vec<f64>,
}

impl Choice {
    fn weigh(&mut self, parameters: &Parameters<'_>, left: &[usize]) {
        let span = left.len() + 1;
        self.total = 0.0;
        self.means.clear();
        self.means.resize(span, 0.0);
        self.squares.clear();
        self.squares.resize(span * span, 0.0);
        let mut set = [0; LARGEST_TIE];
        let mut bonus = 1.0;
        for (size, roots) in (1..=left.len()).zip(&parameters.roots) {
            self.sets(roots, left, &mut set[..size], 0, 0, bonus);
            bonus *= parameters.tie;
        }
    }

    /// Adds all sets that begin with the `chosen` first members of `set`, the others coming from position `from` on.
    fn sets(
        &mut self,
        roots: &[f64],
        left: &[usize],
        set: &mut [usize],
        chosen: usize,
        from: usize,
        weight: f64,
    ) {
        if chosen == set.len() {
            return self.add(set, weight);
        }
        for i in from..left.len() {
            set[chosen] = i;
            self.sets(roots, left, set, chosen + 1, i + 1, weight * roots[left[i]]);
        }
    }

    fn add(&mut self, set: &[usize], weight: f64) {
        let span = self.means.len();
        let ties = span - 1;
        let share = 1.0 / set.len() as f64;
        let shared = (set.len() - 1) as f64;
        self.total += weight;
        self.means[ties] += weight * shared;
        self.squares[ties * span + ties] += weight * shared * shared;
        for one in set {
            self.means[*one] += weight * share;
            self.squares[*one * span + ties] += weight * share * shared;
            self.squares[ties * span + *one] += weight * share * shared;
            for other in set {
                self.squares[*one * span + *other] += weight * share * share;
            }
        }
    }
}
