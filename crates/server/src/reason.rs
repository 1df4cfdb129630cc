use tonic::Code;

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $code:ident;)+) => {
        /// Why a call was refused, as programs read it: the `reason` of the `google.rpc.ErrorInfo` of every error.
        /// `proto/README.md` lists them all.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Reason {
            /// All reasons.
            pub const ALL: &[Reason] = &[$(Reason::$variant),+];

            /// The reason's name on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Reason::$variant => $name,)+
                }
            }

            /// The canonical code that always goes with it.
            pub const fn code(self) -> Code {
                match self {
                    $(Reason::$variant => Code::$code,)+
                }
            }
        }
    };
}

reasons! {
    /// No token was sent with a call that needs one.
    TokenMissing = "TOKEN_MISSING", Unauthenticated;
    /// No agent has the token that was sent.
    TokenInvalid = "TOKEN_INVALID", Unauthenticated;
    /// The caller's role is too low; metadata `role` names the one that it takes.
    RoleRequired = "ROLE_REQUIRED", PermissionDenied;
    /// Only admins register agents here.
    RegistrationClosed = "REGISTRATION_CLOSED", PermissionDenied;
    /// The caller has no seat in the match.
    NotSeated = "NOT_SEATED", PermissionDenied;
    /// The decision is another seat's.
    NotYourDecision = "NOT_YOUR_DECISION", PermissionDenied;
    /// Only the creator of the match may do this, or a caller with the role that metadata `role` names.
    NotCreator = "NOT_CREATOR", PermissionDenied;
    /// The seat is kept for another agent or the house.
    SeatReserved = "SEAT_RESERVED", PermissionDenied;
    /// The tournament is for agents that its creator has named.
    NotInvited = "NOT_INVITED", PermissionDenied;
    /// There is no such match.
    MatchNotFound = "MATCH_NOT_FOUND", NotFound;
    /// There is no such agent.
    AgentNotFound = "AGENT_NOT_FOUND", NotFound;
    /// There is no such tournament.
    TournamentNotFound = "TOURNAMENT_NOT_FOUND", NotFound;
    /// The tournament has no such entrant.
    EntrantNotFound = "ENTRANT_NOT_FOUND", NotFound;
    /// Two entrants of a tournament would have the same name.
    EntrantExists = "ENTRANT_EXISTS", AlreadyExists;
    /// An agent of that name is registered.
    AgentExists = "AGENT_EXISTS", AlreadyExists;
    /// The token that this request made was changed or revoked since.
    TokenChanged = "TOKEN_CHANGED", FailedPrecondition;
    /// The health service knows no part of that name.
    ServiceUnknown = "SERVICE_UNKNOWN", NotFound;
    /// A field that has to be set is not.
    FieldMissing = "FIELD_MISSING", InvalidArgument;
    /// A field is beyond its bound.
    FieldOutOfRange = "FIELD_OUT_OF_RANGE", InvalidArgument;
    /// A tile lacks one of its numbers.
    TileIncomplete = "TILE_INCOMPLETE", InvalidArgument;
    /// A match id is not 32 lower-case hexadecimal digits.
    MatchIdInvalid = "MATCH_ID_INVALID", InvalidArgument;
    /// A tournament id is not 32 lower-case hexadecimal digits.
    TournamentIdInvalid = "TOURNAMENT_ID_INVALID", InvalidArgument;
    /// A name is not one that an agent can have.
    AgentNameInvalid = "AGENT_NAME_INVALID", InvalidArgument;
    /// The rules are impossible.
    RulesImpossible = "RULES_IMPOSSIBLE", InvalidArgument;
    /// The number of seats is not that of the rules.
    SeatCount = "SEAT_COUNT", InvalidArgument;
    /// The house has no player of that name.
    StrategyUnknown = "STRATEGY_UNKNOWN", InvalidArgument;
    /// A page token is none that the service gave.
    PageTokenInvalid = "PAGE_TOKEN_INVALID", InvalidArgument;
    /// The bytes are no message of this method.
    MessageMalformed = "MESSAGE_MALFORMED", InvalidArgument;
    /// A request id was used before for another request.
    RequestIdReused = "REQUEST_ID_REUSED", InvalidArgument;
    /// The decision has no option at that position.
    OptionOutOfRange = "OPTION_OUT_OF_RANGE", InvalidArgument;
    /// The tile is not in the seat's hand.
    TileNotInHand = "TILE_NOT_IN_HAND", InvalidArgument;
    /// The move is not legal.
    MoveIllegal = "MOVE_ILLEGAL", InvalidArgument;
    /// No arm or toe of that number takes the tile on that end.
    LineUnknown = "LINE_UNKNOWN", InvalidArgument;
    /// The match has started, so seats can be neither taken nor given back.
    MatchNotOpen = "MATCH_NOT_OPEN", FailedPrecondition;
    /// The match has not started, or was aborted before it did.
    MatchNotStarted = "MATCH_NOT_STARTED", FailedPrecondition;
    /// The match is over.
    MatchOver = "MATCH_OVER", FailedPrecondition;
    /// The match is not over.
    MatchNotOver = "MATCH_NOT_OVER", FailedPrecondition;
    /// The match is over, but other matches with its deal are not.
    RecordSealed = "RECORD_SEALED", FailedPrecondition;
    /// The tournament has started and takes no more entrants.
    TournamentNotOpen = "TOURNAMENT_NOT_OPEN", FailedPrecondition;
    /// The tournament has not started.
    TournamentNotStarted = "TOURNAMENT_NOT_STARTED", FailedPrecondition;
    /// The tournament is over.
    TournamentOver = "TOURNAMENT_OVER", FailedPrecondition;
    /// The tournament has as many entrants as it may have.
    TournamentFull = "TOURNAMENT_FULL", FailedPrecondition;
    /// The format cannot be played by the entrants as they are: too few, or one that it names is not there.
    FieldUnfit = "FIELD_UNFIT", FailedPrecondition;
    /// The entrant has left the tournament.
    EntrantWithdrawn = "ENTRANT_WITHDRAWN", FailedPrecondition;
    /// The caller was not offered a decision of that number.
    DecisionNotOpen = "DECISION_NOT_OPEN", FailedPrecondition;
    /// The decision has been answered, and differently.
    DecisionAnswered = "DECISION_ANSWERED", FailedPrecondition;
    /// Somebody sits there.
    SeatTaken = "SEAT_TAKEN", FailedPrecondition;
    /// No seat is free for the caller.
    NoFreeSeat = "NO_FREE_SEAT", FailedPrecondition;
    /// The first message of a session must be Open, and no other may be.
    SessionNotOpened = "SESSION_NOT_OPENED", FailedPrecondition;
    /// Too many choices and replies of this session wait for their answer.
    TooManyPending = "TOO_MANY_PENDING", ResourceExhausted;
    /// A limit of the service is reached; its key in the configuration and its value are given.
    LimitReached = "LIMIT_REACHED", ResourceExhausted;
    /// The service has no room for more matches or agents.
    StoreFull = "STORE_FULL", ResourceExhausted;
    /// The message is larger than the service takes.
    MessageTooLarge = "MESSAGE_TOO_LARGE", OutOfRange;
    /// The service has no such method.
    MethodUnknown = "METHOD_UNKNOWN", Unimplemented;
    /// The call's own deadline passed.
    DeadlinePassed = "DEADLINE_PASSED", Cancelled;
    /// The service cannot say in time what became of the call; repeating it is safe.
    Unavailable = "UNAVAILABLE", Unavailable;
    /// The service stops; it may be back soon.
    ShuttingDown = "SHUTTING_DOWN", Unavailable;
    /// A fault of the service.
    Internal = "INTERNAL", Internal;
}
