package dev.sluice.leaderfollowers;

import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.SignalHandler;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.EventHandler;
import dev.sluice.signal.SignalDispatch;
import dev.sluice.trace.DispatchTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The signal handlers of a handle set that threads share. */
final class SignalSubscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(SignalSubscriptions.class);

    private final Consumer<PendingEvent> arrival;
    /** Guarded by the lock of this object, like the end. */
    private final List<Subscription> subscriptions = new ArrayList<>();
    private boolean ended;
    private volatile DispatchTrace trace;

    /**
     * Makes them.
     *
     * @param arrival takes a signal that has arrived, for a thread to dispatch it; must not throw
     */
    SignalSubscriptions(Consumer<PendingEvent> arrival) {
        this.arrival = arrival;
    }

    /** Has the calls of hooks recorded. */
    void recordTo(DispatchTrace recording) {
        trace = recording;
    }

    /** {@return false if they have ended} */
    synchronized boolean add(OsSignal signal, SignalHandler handler) {
        if (!ended && subscriptions.stream().noneMatch(each -> each.is(signal, handler))) {
            Subscription subscription = new Subscription(signal, handler);
            SignalDispatch.subscribe(signal.name(), subscription);
            subscriptions.add(subscription);
        }
        return !ended;
    }

    synchronized void remove(OsSignal signal, SignalHandler handler) {
        subscriptions.removeIf(each -> each.is(signal, handler) && each.end());
    }

    synchronized void end() {
        ended = true;
        subscriptions.forEach(Subscription::end);
        subscriptions.clear();
    }

    /**
     * One handler's interest in one signal. While its hook runs, the signal is blocked as it is by the system during a
     * signal handler: one that arrives meanwhile is dispatched afterwards, and more of them count as one.
     */
    private final class Subscription implements Runnable, PendingEvent {

        private final OsSignal signal;
        private final SignalHandler handler;

        // Guarded by the lock of this object.

        private boolean arrived;
        private boolean running;
        private boolean over;

        Subscription(OsSignal signal, SignalHandler handler) {
            this.signal = signal;
            this.handler = handler;
        }

        boolean is(OsSignal otherSignal, SignalHandler otherHandler) {
            return signal == otherSignal && handler == otherHandler;
        }

        /** {@return true} */
        boolean end() {
            SignalDispatch.unsubscribe(signal.name(), this);
            synchronized (this) {
                over = true;
            }
            return true;
        }

        /** The signal has arrived. Called by the virtual machine's own thread. */
        @Override
        public void run() {
            if (arrives()) {
                arrival.accept(this);
            }
        }

        private synchronized boolean arrives() {
            boolean isFirst = !arrived;
            arrived = true;
            return isFirst && !running;
        }

        @Override
        public void process() {
            if (begins()) {
                try {
                    handle();
                } catch (Throwable e) {
                    tell(e);
                }
            }
            if (hasArrivedAgain()) {
                arrival.accept(this);
            }
        }

        private void handle() throws Exception {
            DispatchTrace recording = trace;
            if (recording == null) {
                handler.handleSignal(signal);
                return;
            }
            recording.begin("handleSignal", handler, signal);
            try {
                handler.handleSignal(signal);
            } finally {
                recording.end();
            }
        }

        private void tell(Throwable cause) {
            if (handler instanceof EventHandler told) {
                HookFailure.tell(told, cause, () -> told.handleFailure(null, cause));
            } else {
                HookFailure.log(LOG, handler, signal, cause);
            }
        }

        private synchronized boolean begins() {
            arrived = false;
            running = true;
            return !over;
        }

        private synchronized boolean hasArrivedAgain() {
            running = false;
            return arrived && !over;
        }
    }
}
