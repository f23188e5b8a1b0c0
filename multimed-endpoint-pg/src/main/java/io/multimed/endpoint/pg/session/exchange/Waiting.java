package io.multimed.endpoint.pg.session.exchange;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a session waits for, and the alarm that ends a wait which nothing else ends. */
public final class Waiting {
    private final EventLoop loop;
    private Wait reason = Wait.NOTHING;
    private @Nullable ScheduledFuture<?> alarm;
    /** Ends what others do for the one who waits. */
    private @Nullable Runnable unwanted;

    Waiting(EventLoop loop) {
        this.loop = loop;
    }

    /** @return false, as whoever begins to wait has to answer */
    public boolean begin(Wait forWhat) {
        endUnwanted();
        reason = forWhat;
        return false;
    }

    /**
     * The same, where others work for the one who waits.
     *
     * @param over called once the wait has ended, for whatever reason: nobody wants that work any more
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

    /** Whether nothing is waited for. */
    public boolean isNothing() {
        return reason == Wait.NOTHING;
    }

    public boolean is(Wait what) {
        return reason == what;
    }

    /** Whether a unit waits of which nothing has been sent. */
    public boolean isForUnit() {
        return reason != Wait.NOTHING && reason != Wait.NOTIFICATIONS;
    }

    /** What is waited for. */
    public Wait reason() {
        return reason;
    }

    /** Nothing is waited for any more, nor is the alarm. */
    public void end() {
        reason = Wait.NOTHING;
        cancelAlarm();
        endUnwanted();
    }

    /** Does something on the loop after so long, unless the wait ends before; in place of any earlier alarm. */
    public void alarmIn(long millis, Runnable action) {
        cancelAlarm();
        alarm = loop.schedule(action, millis, TimeUnit.MILLISECONDS);
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
