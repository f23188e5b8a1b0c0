package io.multimed.endpoint.pg.session.loop;

import io.multimed.core.admission.AdmissionSources;
import io.multimed.core.admission.WaitingReaders;
import io.multimed.core.counters.RouteCounters;
import io.multimed.core.node.Nodes;
import io.multimed.endpoint.pg.backend.EngineProcesses;
import io.multimed.endpoint.pg.backend.LoopBackends;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.session.reads.AnsweredTimes;
import io.multimed.endpoint.pg.session.reads.BlockHabits;
import io.multimed.endpoint.pg.session.reads.CoalescedReads;
import io.multimed.endpoint.pg.session.reads.HabitualHolders;
import io.multimed.endpoint.pg.session.reads.ReadCosts;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the sessions of one event loop share. Used on that loop only, except where stated.
 *
 * <p>It has more fields than other classes, since it is the list of these objects. Parts of a session that need one or two of them are
 * given those alone.
 */
public final class LoopContext {
    private static final int MAX_REMEMBERED_LOGINS = 1024;
    private static final int MAX_RULES_KEPT = 8;

    private final EventLoop loop;
    private EndpointOptions options;
    private final EndpointServices services;
    private final LoopBackends backends;
    private final StatementRegistry statements;
    private final AllLoops all;
    private final LongSupplier clock;
    private final RouteCounters counters = new RouteCounters();
    /** The rules in effect, and behind them those by which statements may be classified that are under way. Any thread may read them. */
    private volatile List<ReadRules> rules;

    private final ReadCosts readCosts;
    private final AnsweredTimes answeredTimes = new AnsweredTimes();
    private final BlockHabits blockHabits = new BlockHabits();
    private final Map<ClientSession, ConnectedClient> clients = new HashMap<>();
    private final AdmissionSources admissionSources;
    private final WaitingReaders waitingReaders;
    private final Map<PoolKey, Map<String, String>> reportedAtLogin = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<PoolKey, Map<String, String>> eldest) {
            return size() > MAX_REMEMBERED_LOGINS;
        }
    };
    private final Map<String, SharedListener> listeners = new HashMap<>();
    private final MasterSnapshots snapshots = new MasterSnapshots(this);
    private byte[] scratch = new byte[4096];

    /** @param clock monotonic nanoseconds */
    public LoopContext(
            EventLoop loop,
            EndpointOptions options,
            EndpointServices services,
            LoopBackends backends,
            AllLoops all,
            LongSupplier clock) {
        this.all = all;
        this.clock = clock;
        this.statements = new StatementRegistry(
                options.limits().prepared().bytes() / options.listening().loops());
        this.loop = loop;
        this.options = options;
        this.services = services;
        this.backends = backends;
        this.readCosts = new ReadCosts(
                this::nanoTime,
                services.processes() != EngineProcesses.UNKNOWN,
                services.nodes().hasPartial(),
                services.nodes().hasPartial() ? all.measuredTimes() : null);
        this.rules = List.of(new ReadRules(options.routes(), services.nodes()));
        this.admissionSources = services.admissionSources();
        this.waitingReaders = new WaitingReaders(services.gate(), loop);
    }

    public EventLoop loop() {
        return loop;
    }

    public EndpointOptions options() {
        return options;
    }

    /**
     * Applies other options from now on. Those for the number of loops and for the sizes of pools are not applied here.
     *
     * @throws IllegalArgumentException if a routing rule names a node that there is not
     */
    public void reconfigure(EndpointOptions now) {
        if (now.routes().generation() != options.routes().generation()) {
            List<ReadRules> kept = new ArrayList<>(List.of(new ReadRules(now.routes(), services.nodes())));
            rules.stream().limit(MAX_RULES_KEPT).forEach(kept::add);
            rules = List.copyOf(kept);
        }
        options = now;
    }

    public EndpointServices services() {
        return services;
    }

    public LoopBackends backends() {
        return backends;
    }

    /** Counters that any thread may read. */
    public RouteCounters counters() {
        return counters;
    }

    /** The clients of this loop, by session. */
    public Map<ClientSession, ConnectedClient> clients() {
        return clients;
    }

    /** The routing rules in effect. Any thread. */
    public ReadRules rules() {
        return rules.getFirst();
    }

    /** The routing rules of a generation, by which a statement was classified; null if they have been replaced long ago. */
    public @Nullable ReadRules rules(int generation) {
        for (ReadRules each : rules) {
            if (each.generation() == generation) {
                return each;
            }
        }
        return null;
    }

    /** The estimated costs of reads. */
    public ReadCosts readCosts() {
        return readCosts;
    }

    /** The times of statements, where they are kept. */
    public AnsweredTimes answeredTimes() {
        return answeredTimes;
    }

    /** The habits of transaction blocks. */
    public BlockHabits blockHabits() {
        return blockHabits;
    }

    /** The tables that transaction blocks habitually need, shared by all loops; null if there are no partial Satellites. */
    public @Nullable HabitualHolders habitualHolders() {
        return services.nodes().hasPartial() ? all.habitualHolders() : null;
    }

    /** The reads that wait for a connection and may be answered for several sessions at once. Shared by all loops. */
    public CoalescedReads coalescedReads() {
        return all.coalescedReads();
    }

    public Nodes nodes() {
        return services.nodes();
    }

    /** The client that each backend serves. Shared by all loops. */
    public ProcessIds processIds() {
        return all.processIds();
    }

    /** The clients of all loops that have logged in. */
    public ConnectedClients allClients() {
        return all.clients();
    }

    /** Collects the activity of all sessions for a client. Calls {@code then} on this loop. */
    public void lookAtSessions(String role, Consumer<OtherSessions> then) {
        OtherSessions.look(all.loops(), this, role, then);
    }

    /** The prepared statements of all sessions of this loop. */
    public StatementRegistry statements() {
        return statements;
    }

    /** The clock by which waits are measured, in nanoseconds. */
    public LongSupplier clock() {
        return clock;
    }

    /** The present time by that clock. */
    public long nanoTime() {
        return clock.getAsLong();
    }

    /** Returns an array of at least {@code size} bytes for temporary copies. It is valid until the next call. */
    public byte[] scratch(int size) {
        if (scratch.length < size) {
            scratch = new byte[Math.max(size, scratch.length * 2)];
        }
        return scratch;
    }

    /** Records that a session asks for the last value of a sequence. */
    public void sequencesAreAsked() {
        all.sequencesAsked().set(true);
    }

    /** Whether any session of any loop has ever asked for the last value of a sequence. */
    public boolean areSequencesAsked() {
        return all.sequencesAsked().get();
    }

    /** Returns the right of a session that begins to hold connections to engines; null if it needs none. */
    public @Nullable ConnectionTurn turn(PoolKey key) {
        return all.turns().of(key, () -> options.limits().each());
    }

    /** Closes the connections of all loops that no session uses, since the engine counts every connection to a database. */
    public void closeIdle() {
        all.closeIdle().run();
    }

    /** The connection over which the loop's sessions in this database listen. */
    public SharedListener listener(PoolKey key) {
        return listeners
                .computeIfAbsent(key.database(), database -> new SharedListener(this, key))
                .neededBy(key);
    }

    /** The part that takes snapshots of the Master. */
    public MasterSnapshots snapshots() {
        return snapshots;
    }

    /**
     * The parameters that engines reported to the first client of this kind. Later clients of the kind are sent the same. Null if
     * unknown.
     */
    public @Nullable Map<String, String> reportedAtLogin(PoolKey key) {
        return reportedAtLogin.get(key);
    }

    /** Remembers the parameters that engines have reported to the first client of this kind. */
    public void rememberLogin(PoolKey key, Map<String, String> reported) {
        reportedAtLogin.put(key, Collections.unmodifiableMap(new LinkedHashMap<>(reported)));
    }

    /** Forgets the reported parameters, because the Master was restarted, perhaps with other settings. */
    public void forgetLogins() {
        reportedAtLogin.clear();
    }

    /** The state of the nodes and of the log, by which the sessions' transactions are admitted. */
    public AdmissionSources admissionSources() {
        return admissionSources;
    }

    /** The sessions that wait for a Satellite to become fresh enough. */
    public WaitingReaders waitingReaders() {
        return waitingReaders;
    }

    public void close() {
        waitingReaders.close();
    }
}
