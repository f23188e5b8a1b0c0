package io.multimed.endpoint.pg.backend;

import java.util.Map;

/**
 * The state of one engine session between transactions, as far as it is known: its settings and prepared statements, and what earlier
 * clients may have left there.
 */
public final class EngineSession {
    private static final int NOBODY = 0;

    final Opening opening = new Opening();
    final PreparedOnBackend prepared;
    /** The settings in which the session differs from its start. */
    BackendSettings settings = BackendSettings.NONE;
    /** The client that the session has served last. */
    int lastClient = NOBODY;
    /** Whether the session may remember sequences ({@code currval}) used by clients other than the present one. */
    private boolean sequencesOfOthers;
    /** Whether code executed in the engine may have set parameters that the engine does not list. */
    private boolean setByCode;
    /** Whether {@link #setByCode} was set for another client than the present one. */
    private boolean setForOthers;
    /** Whether the state is unknown and cannot be determined. */
    boolean spoilt;

    /** @param maxPrepared largest number of prepared statements */
    EngineSession(int maxPrepared) {
        prepared = new PreparedOnBackend(maxPrepared);
    }

    /** Returns the parameters that the engine reported when the session began. */
    public Map<String, String> parameters() {
        return opening.parameters();
    }

    /** Whether the engine session, with its present settings, receives and sends UTF-8. */
    public boolean speaksUtf8() {
        String name = "client_encoding";
        String set = settings.values().get(name);
        return !settings.equals(BackendSettings.UNKNOWN)
                && "UTF8".equals(set != null ? set : parameters().getOrDefault(name, "UTF8"));
    }

    /** Sets the client that uses the session from now on. */
    public void serve(int clientProcessId) {
        if (lastClient != clientProcessId) {
            setForOthers |= setByCode;
            setByCode = false;
            sequencesOfOthers |= lastClient != NOBODY;
        }
        lastClient = clientProcessId;
    }

    /** Whether the session may remember sequences used by other clients. */
    public boolean hasSequencesOfOthers() {
        return sequencesOfOthers;
    }

    /** Records that all remembered sequences belong to the present client, or are treated as if they did. */
    public void sequencesAreOwn() {
        sequencesOfOthers = false;
    }

    /** Whether parameters missing in the settings may be set, if the session were to serve this client. */
    public boolean mayBeSetForOthersThan(int clientProcessId) {
        return setForOthers || (setByCode && lastClient != clientProcessId);
    }

    /** Records that the present client has executed code that Multimed has not analyzed. */
    public void codeHasRun() {
        setByCode = true;
    }

    /**
     * Returns the settings that the present client is about to adjust: unknown ones, once, if parameters missing in them may be set
     * for another client.
     */
    public BackendSettings takeSettings() {
        if (setForOthers) {
            setForOthers = false;
            return BackendSettings.UNKNOWN;
        }
        return settings;
    }

    /** Has the connection closed when it is released, because the state is unknown and cannot be determined. */
    public void closeWhenReleased() {
        spoilt = true;
    }
}
