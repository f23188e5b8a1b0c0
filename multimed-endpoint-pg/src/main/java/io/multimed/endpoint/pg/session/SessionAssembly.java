package io.multimed.endpoint.pg.session;

import io.multimed.core.admission.Admission;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.session.block.AutocommitRead;
import io.multimed.endpoint.pg.session.block.BlockTimeouts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.HoldersOfBlock;
import io.multimed.endpoint.pg.session.block.OneSnapshot;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.UndeclaredBlock;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.ClientTasks;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.SchemaWatch;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.ConnectionTurn;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.SessionReport;
import io.multimed.endpoint.pg.session.loop.StatementRegistry;
import io.multimed.endpoint.pg.session.prepared.AnsweredMessages;
import io.multimed.endpoint.pg.session.prepared.BindSender;
import io.multimed.endpoint.pg.session.prepared.BlockMessages;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.CloseSender;
import io.multimed.endpoint.pg.session.prepared.CurrentAnalysis;
import io.multimed.endpoint.pg.session.prepared.DescribeSender;
import io.multimed.endpoint.pg.session.prepared.EngineStatements;
import io.multimed.endpoint.pg.session.prepared.ExecuteSender;
import io.multimed.endpoint.pg.session.prepared.ExplainedTexts;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.prepared.MissingStatement;
import io.multimed.endpoint.pg.session.prepared.NamingSql;
import io.multimed.endpoint.pg.session.prepared.OwnMessages;
import io.multimed.endpoint.pg.session.prepared.OwnPortals;
import io.multimed.endpoint.pg.session.prepared.ParseSender;
import io.multimed.endpoint.pg.session.prepared.PortalEffects;
import io.multimed.endpoint.pg.session.prepared.ReadSender;
import io.multimed.endpoint.pg.session.prepared.ResultShapeCheck;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.prepared.TransactionScope;
import io.multimed.endpoint.pg.session.requests.AwaitingCatalog;
import io.multimed.endpoint.pg.session.requests.AwaitingClassification;
import io.multimed.endpoint.pg.session.requests.BlockControl;
import io.multimed.endpoint.pg.session.requests.Classifying;
import io.multimed.endpoint.pg.session.requests.ClientPause;
import io.multimed.endpoint.pg.session.requests.ExecutionEffects;
import io.multimed.endpoint.pg.session.requests.ExplainedStatements;
import io.multimed.endpoint.pg.session.requests.FunctionCallReader;
import io.multimed.endpoint.pg.session.requests.Learning;
import io.multimed.endpoint.pg.session.requests.LocalAnswers;
import io.multimed.endpoint.pg.session.requests.Notifications;
import io.multimed.endpoint.pg.session.requests.OrdinaryState;
import io.multimed.endpoint.pg.session.requests.PausedPortal;
import io.multimed.endpoint.pg.session.requests.PlainReads;
import io.multimed.endpoint.pg.session.requests.ProcessNumbering;
import io.multimed.endpoint.pg.session.requests.QueryAnswers;
import io.multimed.endpoint.pg.session.requests.QueryReader;
import io.multimed.endpoint.pg.session.requests.QueryRefusal;
import io.multimed.endpoint.pg.session.requests.QuerySender;
import io.multimed.endpoint.pg.session.requests.Rejections;
import io.multimed.endpoint.pg.session.requests.RequestReader;
import io.multimed.endpoint.pg.session.requests.SegmentAnswers;
import io.multimed.endpoint.pg.session.requests.SegmentExamination;
import io.multimed.endpoint.pg.session.requests.SegmentOpening;
import io.multimed.endpoint.pg.session.requests.SegmentPlacing;
import io.multimed.endpoint.pg.session.requests.SegmentReader;
import io.multimed.endpoint.pg.session.requests.SegmentRefusal;
import io.multimed.endpoint.pg.session.requests.SegmentSender;
import io.multimed.endpoint.pg.session.requests.Sending;
import io.multimed.endpoint.pg.session.requests.UnitPreparation;
import io.multimed.endpoint.pg.session.requests.UnsentFailure;
import io.multimed.endpoint.pg.session.requests.UsedDatabases;
import io.multimed.endpoint.pg.session.routing.AccessRules;
import io.multimed.endpoint.pg.session.routing.AwaitingFreshness;
import io.multimed.endpoint.pg.session.routing.AwaitingVisibility;
import io.multimed.endpoint.pg.session.routing.BackendBinding;
import io.multimed.endpoint.pg.session.routing.BackendCheckout;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.routing.ClientProcess;
import io.multimed.endpoint.pg.session.routing.Coalescing;
import io.multimed.endpoint.pg.session.routing.FailedCheckout;
import io.multimed.endpoint.pg.session.routing.FollowConditions;
import io.multimed.endpoint.pg.session.routing.FreshPlans;
import io.multimed.endpoint.pg.session.routing.LatestRoute;
import io.multimed.endpoint.pg.session.routing.LossRecovery;
import io.multimed.endpoint.pg.session.routing.NodeStates;
import io.multimed.endpoint.pg.session.routing.PlacementExplanation;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.ResidueQuestion;
import io.multimed.endpoint.pg.session.routing.Routing;
import io.multimed.endpoint.pg.session.routing.RuleFallback;
import io.multimed.endpoint.pg.session.routing.SatelliteLoss;
import io.multimed.endpoint.pg.session.routing.SatelliteRouting;
import io.multimed.endpoint.pg.session.routing.SequenceState;
import io.multimed.endpoint.pg.session.routing.Steering;
import io.multimed.endpoint.pg.session.routing.UnboundRouting;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.ChosenSettings;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.endpoint.pg.session.watch.StatementWatch;
import io.multimed.endpoint.pg.session.watch.WatchedClient;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.StatementClassifier;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the parts of a session in the order of their dependencies. Each part is given exactly the others that it uses.
 *
 * <p>It has more fields and lines than other classes, since it is one list; the fields are the parts to which {@link Session}
 * passes events. It is not kept once the session is created.
 */
final class SessionAssembly {
    final Exchange exchange;
    final Waiting waiting;
    final PartialMessage partial;
    final SessionVariables variables;
    final ObservedCommits observed;
    final TransactionBlock block;
    final ClientStatements prepared;
    final Unit unit;
    final BackendCheckout checkout;
    final Replay replay;
    final LossRecovery recovery;
    final UnitRestart restart;
    final WaitingUnit waitingUnit;
    final ProcessNumbering numbering;
    final SegmentReader segments;
    final RequestReader requests;
    final Notifications notifications;
    final OrdinaryState ordinary;
    final SessionSharing sharing;
    final SharedReply sharedReply;
    final StallWatch stalls;
    final StatementTimeout timeout;
    final UnitEnds units;
    final OwnTransactionEnds ownTransactions;
    final TransactionCompletion transactions;
    final SessionReport report;
    final SessionEnd ending;
    final @Nullable UnitWatch watch;

    /**
     * Creates the parts.
     *
     * @param session notified by the parts
     * @param key the kind of engine session that it needs
     * @param reported the parameters that the client has received
     * @param applicationName the name that the client gave; null if it gave none
     * @param processId the number by which the client knows its server process
     */
    SessionAssembly(
            LoopContext loop,
            Session session,
            ClientLink client,
            PoolKey key,
            Map<String, String> reported,
            @Nullable String applicationName,
            int processId) {
        EndpointServices services = loop.services();
        EndpointLimits limits = loop.options().limits();
        EndpointServices.Schemas schemas = services.schemas();
        String database = key.database();
        Supplier<DatabaseCatalog> catalogs = () -> schemas.catalog(database);
        StatementClassifier classifier = services.classifier();
        StatementRegistry registry = loop.statements();

        // exchange
        @Nullable ConnectionTurn turn = loop.turn(key);
        SchemaWatch schema = new SchemaWatch(schemas, database);
        exchange = new Exchange(loop, session, client, processId, turn, schema);
        ClientTasks tasks = new ClientTasks(loop.loop(), client);
        waiting = new Waiting(tasks);
        Instructions instructions = new Instructions(exchange);
        AwaitingEngine engine = new AwaitingEngine(session, exchange, instructions, waiting);
        partial = new PartialMessage(exchange, engine);
        Failing failing = new Failing(exchange, partial);

        // settings
        exchange.reported().putAll(reported);
        ChosenSettings chosen = new ChosenSettings(key.startup(), loop.options().freshness());
        variables = new SessionVariables(exchange.reported(), applicationName, key, chosen);
        // A Satellite that has not applied this SCN yet would begin the session without the catalog changes.
        chosen.freshness().observed(key.sharedCatalogs().scn());
        observed = new ObservedCommits(chosen.freshness(), services);

        // block
        UndeclaredBlock undeclared = new UndeclaredBlock(loop.blockHabits());
        block = new TransactionBlock(undeclared, new HoldersOfBlock(loop.habitualHolders()));
        BlockTimeouts timeouts = new BlockTimeouts(tasks, session, variables, waiting);
        DeferredBegin deferred = new DeferredBegin(exchange, block, instructions, timeouts);
        AutocommitRead own = new AutocommitRead(exchange, block, deferred, variables, chosen, undeclared);
        OneSnapshot oneSnapshot = new OneSnapshot(exchange, block, variables, chosen, engine, instructions);

        // prepared
        LatestRoute route = new LatestRoute(loop.counters());
        CurrentAnalysis analysis = new CurrentAnalysis(registry, schemas, variables, key);
        prepared = new ClientStatements(limits.prepared().perSession(), registry, analysis, exchange);
        SqlNames names = new SqlNames(exchange, prepared);
        ResultShapeCheck shapes = new ResultShapeCheck(classifier, analysis, exchange, engine);
        OwnPortals portals = new OwnPortals(exchange);
        PortalEffects effects = new PortalEffects();
        BlockMessages blockMessages = new BlockMessages(portals);
        ExplainedTexts explained = new ExplainedTexts();
        OwnMessages ownMessages = new OwnMessages(classifier, catalogs, portals, route::text, explained);
        EngineStatements engineStatements = new EngineStatements(classifier, exchange, prepared);
        NamingSql naming = new NamingSql(classifier, catalogs);
        MissingStatement missing = new MissingStatement(partial, failing);
        ParseSender parses = new ParseSender(
                exchange, names, ownMessages, prepared, analysis, engineStatements, block::isOpen, partial, failing);
        BindSender binds = new BindSender(
                exchange,
                engineStatements,
                missing,
                ownMessages,
                blockMessages,
                naming,
                names,
                portals,
                effects,
                variables.names(),
                partial,
                failing);
        DescribeSender describes = new DescribeSender(
                exchange,
                engineStatements,
                missing,
                ownMessages,
                blockMessages,
                naming,
                names,
                portals,
                partial,
                failing);
        ExecuteSender executes = new ExecuteSender(portals, effects, partial, failing);
        CloseSender closes = new CloseSender(exchange, portals, prepared, names, partial);
        ExtendedSender extended =
                new ExtendedSender(blockMessages, prepared, partial, parses, binds, describes, executes, closes);
        AnsweredMessages answered = new AnsweredMessages(registry, extended, names, portals, effects, prepared, parses);

        TransactionScope scope = new TransactionScope(variables, portals, effects);

        // routing
        ClientProcess process = new ClientProcess(processId, loop.processIds());
        Admission admission = new Admission(loop.admissionSources(), chosen.freshness());
        unit = new Unit(admission, loop.readCosts());
        SequenceState sequences = new SequenceState(loop, exchange, instructions);
        Coalescing coalescing = new Coalescing(loop, session, client, key, variables, unit, prepared);
        FreshPlans plans = new FreshPlans(services, database, exchange, instructions, engine, block, variables.names());
        FollowConditions follow = new FollowConditions(unit, block, variables, process, plans);
        BackendBinding binding = new BackendBinding(exchange, unit, process, instructions, variables, plans, deferred);
        FailedCheckout failed = new FailedCheckout(loop, session, key, waiting, unit);
        checkout = new BackendCheckout(
                loop.backends(),
                session,
                exchange,
                block,
                variables.placeholders(),
                waiting,
                unit,
                turn,
                coalescing,
                route,
                binding,
                failed);
        AwaitingFreshness freshness = new AwaitingFreshness(loop, session, exchange, block, waiting, admission);
        AwaitingVisibility visibility = new AwaitingVisibility(loop, session, waiting, admission);
        Steering steering = new Steering(loop, key, variables, exchange, block, unit);
        UnboundRouting unbound = new UnboundRouting(
                loop.clock(),
                loop.nodes().master(),
                exchange,
                deferred,
                unit,
                freshness,
                visibility,
                checkout,
                steering,
                new RuleFallback(loop, session, waiting, unit));
        SatelliteRouting satellite = new SatelliteRouting(
                loop.clock(), exchange, block, deferred, instructions, engine, unit, freshness, unbound);
        AccessRules rules = new AccessRules(
                exchange,
                block,
                deferred,
                variables,
                chosen,
                loop.options().nodes().settings());
        Routing routing = new Routing(
                loop.clock(), exchange, block, engine, unit, visibility, rules, steering, unbound, satellite);
        ResidueQuestion residueQuestion =
                new ResidueQuestion(key, exchange, variables, instructions, () -> schemas.parametersSet(database));
        BackendPinning pinning = new BackendPinning(exchange, variables, instructions, names, residueQuestion, schema);
        replay = new Replay(limits.unitBytes(), session, client, exchange, block, deferred);
        recovery = new LossRecovery(
                session,
                client,
                exchange,
                block,
                pinning,
                replay,
                new SatelliteLoss(client, exchange, block, deferred));

        watch = loop.options().watching().isAnything()
                ? new StatementWatch(new WatchedClient(loop, session, key, processId), exchange, unit, prepared, route)
                : null;
        waiting.watchedBy(watch);

        // requests
        ordinary = new OrdinaryState();
        notifications = new Notifications(
                loop, key, session, client, exchange, block, waiting, chosen.freshness(), instructions);
        Learning learning = new Learning(loop.loop(), classifier);
        AwaitingCatalog awaitingCatalog =
                new AwaitingCatalog(loop, schemas, database, session, exchange, waiting, unit);
        AwaitingClassification awaitingClassification =
                new AwaitingClassification(loop, classifier, session, waiting, unit, learning);
        Classifying classifying = new Classifying(
                loop,
                classifier,
                catalogs,
                exchange,
                block,
                own,
                unit,
                prepared,
                learning,
                awaitingCatalog,
                awaitingClassification,
                schema);
        numbering = new ProcessNumbering(
                loop, session, client, key.user(), processId, exchange, waiting, instructions, prepared);
        PlacementExplanation placement = new PlacementExplanation(
                loop.nodes(),
                new NodeStates(services.nodeTable()),
                loop.options().timeouts().freshness().toNanos(),
                exchange,
                block,
                deferred,
                own,
                chosen,
                unit,
                rules,
                steering);
        ExplainedStatements explanations = new ExplainedStatements(
                exchange,
                block,
                deferred,
                engine,
                unit,
                classifier,
                catalogs,
                classifying,
                pinning,
                placement,
                explained,
                loop.options().nodes().tablespaces());
        LocalAnswers localAnswers = new LocalAnswers(
                client,
                exchange,
                deferred,
                unit,
                prepared,
                answered,
                engine,
                route,
                pinning,
                notifications,
                explanations);
        BlockControl blockControl =
                new BlockControl(client, exchange, block, deferred, scope, unit, prepared, notifications);
        Rejections rejections = new Rejections(
                loop.options().nodes().tablespaces(),
                exchange,
                block,
                deferred,
                unit,
                names,
                notifications,
                explanations);
        UnsentFailure unsent = new UnsentFailure(client, deferred, scope, unit, watch);
        UsedDatabases databases = new UsedDatabases(loop, session, database, waiting, block, unit);
        UnitPreparation preparation = new UnitPreparation(
                unit,
                engine,
                routing,
                pinning,
                databases,
                numbering,
                oneSnapshot,
                plans,
                notifications,
                names,
                sequences);
        ExecutionEffects executed = new ExecutionEffects(loop.allClients(), prepared, names, portals, notifications);
        Sending sending = new Sending(
                exchange, unit, block, deferred, variables, prepared, sequences, pinning, notifications, oneSnapshot);
        PlainReads plain = new PlainReads(
                exchange,
                unit,
                unbound,
                replay,
                prepared,
                new ReadSender(exchange, parses),
                variables.placeholders(),
                ordinary);
        PausedPortal pausedPortal = new PausedPortal(block);
        SegmentExamination examination =
                new SegmentExamination(classifying, new ClientPause(tasks, session), limits.unitBytes());
        SegmentRefusal segmentRefusal = new SegmentRefusal(rejections, unsent, shapes, failing, unit);
        SegmentAnswers segmentAnswers = new SegmentAnswers(
                localAnswers, explanations, blockControl, deferred, extended, answered, unit, sending);
        SegmentSender segmentSender = new SegmentSender(
                exchange, block, extended, pinning, failing, partial, numbering, executed, sending, pausedPortal);
        SegmentPlacing placing = new SegmentPlacing(
                exchange,
                block,
                deferred,
                own,
                extended,
                unit,
                pinning,
                replay,
                preparation,
                sending,
                segmentRefusal,
                pausedPortal);
        SegmentOpening opening = new SegmentOpening(
                exchange,
                engine,
                examination,
                plain,
                ordinary,
                numbering,
                block,
                unit,
                segmentAnswers,
                segmentRefusal,
                placing,
                segmentSender);
        segments = new SegmentReader(
                limits,
                exchange,
                engine,
                partial,
                unsent,
                examination,
                opening,
                segmentSender,
                segmentAnswers,
                segmentRefusal);
        QueryRefusal queryRefusal =
                new QueryRefusal(rejections, unsent, failing, partial, unit, prepared, segments, sending);
        QueryAnswers queryAnswers = new QueryAnswers(
                localAnswers, explanations, blockControl, exchange, unit, prepared, portals, segments, sending);
        QuerySender querySender = new QuerySender(
                exchange,
                deferred,
                own,
                unit,
                prepared,
                pinning,
                replay,
                preparation,
                executed,
                sending,
                explanations,
                partial,
                segments);
        QueryReader queries = new QueryReader(
                limits.unitBytes(),
                exchange,
                engine,
                classifying,
                plain,
                ordinary,
                numbering,
                unit,
                queryRefusal,
                queryAnswers,
                querySender);
        FunctionCallReader functionCalls =
                new FunctionCallReader(exchange, unit, numbering, routing, queryRefusal, segments, sending, partial);
        requests = new RequestReader(
                session, client, exchange, engine, partial, segments, queries, functionCalls, ordinary, watch);
        ordinary.requires(exchange::isIdle);
        ordinary.requires(block::isIdle);
        ordinary.requires(deferred::isIdle);
        ordinary.requires(oneSnapshot::isIdle);
        ordinary.requires(variables::areOrdinary);
        ordinary.requires(chosen::areOrdinary);
        ordinary.requires(pinning::isIdle);
        ordinary.requires(names::isIdle);
        ordinary.requires(portals::isEmpty);
        ordinary.requires(effects::isEmpty);
        ordinary.requires(shapes::isIdle);
        ordinary.requires(notifications::isIdle);
        ordinary.requires(numbering::isIdle);
        ordinary.requires(segments::isIdle);
        ordinary.requires(() -> !partial.isUnderWay());

        // session
        restart = new UnitRestart(segments, prepared, unit, pinning, waiting, watch);
        waitingUnit = new WaitingUnit(session, unit, waiting, unbound);
        sharing = new SessionSharing(session, exchange, waiting, unit, follow, replay, restart, loop.readCosts());
        sharedReply = new SharedReply(
                session,
                client,
                waiting,
                queryAnswers,
                segments,
                route,
                loop.counters(),
                block,
                deferred,
                scope,
                notifications,
                watch);
        stalls = new StallWatch(loop, tasks, session, client, waiting, partial);
        timeout = new StatementTimeout(tasks, exchange, variables, waiting, unit, waitingUnit);
        report = new PresentState(waiting, exchange, block, pinning, route, unit);
        transactions = new TransactionCompletion(
                exchange, waiting, block, scope, oneSnapshot, names, pinning, notifications, segments, partial);
        units = new UnitEnds(
                session,
                loop.counters(),
                exchange,
                block,
                variables,
                observed,
                replay,
                timeout,
                segments,
                numbering,
                notifications,
                transactions,
                watch);
        ownTransactions = new OwnTransactionEnds(session, loop.counters(), exchange, waiting, deferred, replay, watch);
        ending = new SessionEnd(
                stalls,
                timeout,
                waiting,
                deferred,
                unbound,
                notifications,
                learning,
                replay,
                prepared,
                exchange,
                instructions,
                watch);
    }
}
