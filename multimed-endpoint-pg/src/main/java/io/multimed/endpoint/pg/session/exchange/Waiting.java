package io.multimed.endpoint.pg.session.exchange;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The session's present wait, and the alarm that ends a wait which no other event ends. */
public final class Waiting {
    private final ClientTasks tasks;
    private Wait reason = Wait.NOTHING;
    private @Nullable ScheduledFuture<?> alarm;
    /** Stops the work that others do for this wait; null if there is none. */
    private @Nullable Runnable unwanted;
    /** Null if nobody watches. */
    private @Nullable UnitWatch watch;

    public Waiting(ClientTasks tasks) {
        this.tasks = tasks;
    }

    /** Lets others hear of all waits from now on. */
    public void watchedBy(@Nullable UnitWatch watching) {
        watch = watching;
    }

    /**
     * Begins to wait.
     *
     * @return false, for the caller to return
     */
    public boolean begin(Wait forWhat) {
        if (unwanted != null) {
            endUnwanted();
        }
        reason = forWhat;
        if (watch != null) {
            watch.waits(forWhat);
        }
        return false;
    }

    /**
     * Begins a wait for which others work.
     *
     * @param over called once the wait has ended, for whatever reason, since that work is no longer needed
     */
    public boolean begin(Wait forWhat, Runnable over) {
        begin(forWhat);
        unwanted = over;
        return false;
    }

    private void endUnwanted() {
        Runnable over = unwanted;
        if (over != null) {
            unwanted = null;
            over.run();
        }
    }

    /** Whether the session waits for nothing. */
    public boolean isNothing() {
        return reason == Wait.NOTHING;
    }

    public boolean is(Wait what) {
        return reason == what;
    }

    /** Whether a unit waits before any part of it has been sent. */
    public boolean isForUnit() {
        return reason != Wait.NOTHING && reason != Wait.NOTIFICATIONS;
    }

    /** The event for which the session waits. */
    public Wait reason() {
        return reason;
    }

    /** Ends the wait and cancels the alarm. */
    public void end() {
        reason = Wait.NOTHING;
        if (watch != null) {
            watch.goesOn();
        }
        if (alarm != null) {
            cancelAlarm();
        }
        if (unwanted != null) {
            endUnwanted();
        }
    }

    /** Runs an action on the loop after this time, unless the wait ends before. Replaces any earlier alarm. */
    public void alarmIn(long millis, Runnable action) {
        cancelAlarm();
        alarm = tasks.in(millis, action);
    }

    void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    @Override
    public String toString() {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
