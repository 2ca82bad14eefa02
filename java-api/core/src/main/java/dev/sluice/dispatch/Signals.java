package dev.sluice.dispatch;

import dev.sluice.eventloop.OsSignal;
import dev.sluice.signal.SignalDispatch;
import dev.sluice.trace.DispatchTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The tasks for signals of an event loop or of a handle set that threads share. May be used by any thread. */
final class Signals {

    private final Consumer<Arrival> arrivals;
    private final BiConsumer<Object, Throwable> failed;
    /** Guarded by the lock of this object, like the end. */
    private final List<Subscription> subscriptions = new ArrayList<>();
    private boolean ended;
    private volatile DispatchTrace trace;

    /**
     * Makes them.
     *
     * @param arrivals takes a signal that has arrived, for a thread to run
     * @param failed   takes a task and what it has thrown; must not throw
     */
    Signals(Consumer<Arrival> arrivals, BiConsumer<Object, Throwable> failed) {
        this.arrivals = arrivals;
        this.failed = failed;
    }

    /** Runs the task for a signal that has arrived. */
    interface Arrival extends Runnable {
    }

    /** Records the calls of hooks from now on. */
    void recordTo(DispatchTrace recording) {
        trace = recording;
    }

    /** {@return false if they have ended} */
    synchronized boolean add(OsSignal signal, Runnable task) {
        if (!ended) {
            Subscription subscription = new Subscription(signal, task);
            SignalDispatch.subscribe(signal.name(), subscription.receiver);
            subscriptions.add(subscription);
        }
        return !ended;
    }

    synchronized void remove(OsSignal signal) {
        subscriptions.removeIf(each -> each.signal == signal && each.end());
    }

    /** Removes all tasks, and takes no more. */
    synchronized void end() {
        ended = true;
        subscriptions.forEach(Subscription::end);
        subscriptions.clear();
    }

    /**
     * A task for a signal. While it runs, the signal is blocked as it is by the system during a
     * signal handler: one that arrives in the meantime is dispatched afterwards, and more of them count as one.
     */
    private final class Subscription implements Arrival {

        private final OsSignal signal;
        private final Runnable task;
        private final Runnable receiver = this::receive;

        // Guarded by the lock of this object.

        private boolean arrived;
        private boolean running;
        private boolean over;

        Subscription(OsSignal signal, Runnable task) {
            this.signal = signal;
            this.task = task;
        }

        /** {@return true} */
        boolean end() {
            SignalDispatch.unsubscribe(signal.name(), receiver);
            synchronized (this) {
                over = true;
            }
            return true;
        }

        /** The signal has arrived. Called by the virtual machine's own thread. */
        private void receive() {
            if (arrives()) {
                queue();
            }
        }

        private void queue() {
            boolean queued = false;
            try {
                arrivals.accept(this);
                queued = true;
            } finally {
                if (!queued) {
                    // For lack of memory: this one is lost, but the next one must not count as one with it.
                    forgetArrival();
                }
            }
        }

        private synchronized void forgetArrival() {
            arrived = false;
        }

        private synchronized boolean arrives() {
            boolean isFirst = !arrived;
            arrived = true;
            return isFirst && !running;
        }

        @Override
        public void run() {
            if (begins()) {
                try {
                    handle();
                } catch (Throwable e) {
                    failed.accept(task, e);
                }
            }
            if (hasArrivedAgain()) {
                queue();
            }
        }

        private void handle() {
            DispatchTrace recording = trace;
            if (recording == null) {
                task.run();
                return;
            }
            recording.begin("onSignal", task, signal);
            try {
                task.run();
            } finally {
                recording.end();
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
