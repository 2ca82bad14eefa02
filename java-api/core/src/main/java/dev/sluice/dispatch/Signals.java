package dev.sluice.dispatch;

import dev.sluice.eventloop.OsSignal;
import dev.sluice.signal.SignalDispatch;
import dev.sluice.trace.DispatchTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The tasks for signals of an event loop or of a handle set that threads share. All methods may be called from any
 * thread.
 */
final class Signals {

    private final Consumer<Arrival> arrivals;
    private final BiConsumer<Object, Throwable> failed;
    /** The subscriptions. Guarded by the lock of this object. */
    private final List<Subscription> subscriptions = new ArrayList<>();
    private boolean ended;
    private volatile DispatchTrace trace;

    /**
     * Creates an object without tasks.
     *
     * @param arrivals receives a signal that has arrived, to be run by a thread of the loop
     * @param failed   receives a task and its exception; must not throw
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

    /** Adds a task for a signal. Returns false after the end. */
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

    /** Removes all tasks, and rejects further ones. */
    synchronized void end() {
        ended = true;
        subscriptions.forEach(Subscription::end);
        subscriptions.clear();
    }

    /**
     * A task for a signal. While it runs, the signal is blocked, as the system does during a signal handler: a signal
     * that arrives in the meantime is dispatched afterwards, and several count as one.
     */
    private final class Subscription implements Arrival {

        private final OsSignal signal;
        private final Runnable task;
        private final Runnable receiver = this::receive;

        // Guarded by the lock of this object

        private boolean arrived;
        private boolean running;
        private boolean over;

        Subscription(OsSignal signal, Runnable task) {
            this.signal = signal;
            this.task = task;
        }

        /** Ends the subscription. Returns true. */
        boolean end() {
            SignalDispatch.unsubscribe(signal.name(), receiver);
            synchronized (this) {
                over = true;
            }
            return true;
        }

        /** Called when the signal has arrived, by a thread of the virtual machine. */
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
                    // For lack of memory. This signal is lost, but the next one must not be merged with it.
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
