package dev.sluice.leaderfollowers;

import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.EventHandler;
import dev.sluice.timer.Timer;
import dev.sluice.trace.DispatchTrace;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A timer that is due, out of its queue until it has been dispatched: so no two threads dispatch the same timer.
 *
 * @param timer      which
 * @param repetition puts it back if it is a periodic one
 * @param trace      records the call of its hook; may be null
 */
record ExpiredTimer(Timer timer, Consumer<Timer> repetition, DispatchTrace trace) implements PendingEvent {

    private static final Logger LOG = LoggerFactory.getLogger(ExpiredTimer.class);

    @Override
    public void process() {
        try {
            if (trace == null) {
                timer.fire();
            } else {
                fireTraced();
            }
        } catch (Throwable e) {
            if (timer.handler() instanceof EventHandler handler) {
                try {
                    handler.handleFailure(null, e);
                } catch (Throwable failure) {
                    HookFailure.untold(handler, e, failure);
                }
            } else {
                HookFailure.log(LOG, timer.handler(), "a timer", e);
            }
        } finally {
            repetition.accept(timer);
        }
    }

    private void fireTraced() throws Exception {
        if (!timer.isPending()) {
            return;
        }
        trace.begin("handleTimeout", timer.handler(), timer.token());
        try {
            timer.fire();
        } finally {
            trace.end();
        }
    }
}
