package dev.sluice.stages;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A thread for each processor, each of which runs some of the stages: a thread manager besides the paper's, which has a
 * pool for each stage (3.5). A stage is given to the thread with the fewest stages, and stays there, so that its data
 * stays in one processor's cache; only one thread at a time runs it. Once a second, the times that the threads have
 * spent on their stages are compared, and a stage moves from the busiest thread to the idlest one if that makes the
 * busiest one less busy. Handlers should not block: other stages of the same thread would wait.
 *
 * <p>The caller closes it after the graphs have been stopped. May be used by any thread.
 */
public final class ProcessorThreads implements StageThreads, AutoCloseable {

    /** Time between two comparisons. */
    private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final Place[] places;
    private final AtomicBoolean balancing = new AtomicBoolean();
    private volatile long balanced = System.nanoTime();
    private boolean closed;

    /**
     * Makes a thread for each processor that the virtual machine may use.
     *
     * @param name for the threads, which are daemons
     */
    public ProcessorThreads(String name) {
        this(name, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Makes as many threads as there are processors to be used.
     *
     * @param name    for the threads, which are daemons
     * @param threads the number of threads, at least 1
     * @throws IllegalArgumentException if there are none
     */
    public ProcessorThreads(String name, int threads) {
        this.name = Objects.requireNonNull(name, "name");
        places = new Place[Ranges.between("threads", threads, 1, 1 << 16)];
        StageThreadFactory factory = new StageThreadFactory(name);
        Arrays.setAll(places, i -> new Place(factory));
    }

    @Override
    public Execution execution(Stage<?> stage) {
        return new Resident(stage);
    }

    private synchronized void add(Resident resident) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        Place best = places[0];
        for (Place place : places) {
            if (place.residents.length < best.residents.length) {
                best = place;
            }
        }
        best.requireThread();
        best.set(best.with(resident));
        resident.place = best;
        best.workers.wakeOne();
    }

    private synchronized void remove(Resident resident) {
        // One that was never started has none.
        Place place = resident.place;
        if (place != null) {
            place.set(place.without(resident));
        }
    }

    /** Moves a stage if that helps, once in a period. Called now and then for each stage. */
    private void balance(long now) {
        if (now - balanced >= PERIOD && balancing.compareAndSet(false, true)) {
            try {
                moveOne();
                balanced = now;
            } finally {
                balancing.set(false);
            }
        }
    }

    /** Moves the stage that makes the busiest thread's work most equal to that of the idlest one. */
    synchronized void moveOne() {
        Place busiest = places[0];
        Place idlest = places[0];
        for (Place place : places) {
            place.measure();
            busiest = place.load > busiest.load ? place : busiest;
            idlest = place.load < idlest.load ? place : idlest;
        }
        long gap = busiest.load - idlest.load;
        Resident best = null;
        for (Resident resident : busiest.residents) {
            if (resident.load > 0 && resident.load < gap
                    && (best == null || Math.abs(gap - 2 * resident.load) < Math.abs(gap - 2 * best.load))) {
                best = resident;
            }
        }
        if (best != null && !closed) {
            // All that may fail for lack of memory comes first: a stage must have a place, and that a thread.
            idlest.requireThread();
            Resident[] fewer = busiest.without(best);
            Resident[] more = idlest.with(best);
            best.place = idlest;
            busiest.set(fewer);
            idlest.set(more);
            // Events that were added before are seen now.
            idlest.workers.wakeOne();
        }
    }

    /** Ends the threads once they have handled what they have taken, and waits for that for at most five seconds. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        for (Place place : places) {
            place.workers.end();
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        try {
            for (Place place : places) {
                place.workers.awaitEnd(deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return name;
    }

    /** One thread, and the stages that it runs. */
    private static final class Place implements WorkerThreads.Work {

        private final WorkerThreads workers;
        /** Replaced under the lock. */
        private volatile Resident[] residents = {};
        /** Number of the resident looked at last. */
        private int next;
        private long load;

        Place(StageThreadFactory factory) {
            workers = new WorkerThreads(this, factory);
        }

        /** Starts the thread if there is none yet. */
        void requireThread() {
            if (workers.size() == 0) {
                workers.add();
            }
        }

        Resident[] with(Resident resident) {
            Resident[] more = Arrays.copyOf(residents, residents.length + 1);
            more[residents.length] = resident;
            return more;
        }

        Resident[] without(Resident resident) {
            return Arrays.stream(residents).filter(other -> other != resident).toArray(Resident[]::new);
        }

        void set(Resident[] all) {
            residents = all;
        }

        void measure() {
            load = 0;
            for (Resident resident : residents) {
                resident.load = resident.busy.sumThenReset();
                load += resident.load;
            }
        }

        @Override
        public boolean perform() {
            Resident[] all = residents;
            for (int i = 0; i < all.length; i++) {
                next = (next + 1) % all.length;
                Resident resident = all[next];
                if (resident.isReady()) {
                    resident.runQuantum(this);
                    return true;
                }
            }
            next = 0;
            return false;
        }

        @Override
        public boolean hasWork() {
            for (Resident resident : residents) {
                if (resident.isReady()) {
                    return true;
                }
            }
            return false;
        }
    }

    /** A stage at one of the threads. */
    private final class Resident extends Execution {

        private volatile @Nullable Place place;
        private final AtomicBoolean inside = new AtomicBoolean();
        private final LongAdder busy = new LongAdder();
        private long load;

        Resident(Stage<?> stage) {
            super(stage);
        }

        @Override
        protected void start() {
            add(this);
        }

        boolean isReady() {
            return hasEvent() && !inside.get();
        }

        /**
         * Handles a batch.
         *
         * @param here the place of the calling thread, which may have found this one there before it was moved
         */
        void runQuantum(Place here) {
            if (!inside.compareAndSet(false, true)) {
                return;
            }
            long begin = System.nanoTime();
            try {
                runBatch(1);
            } finally {
                inside.set(false);
                if (place != here) {
                    // It has moved meanwhile, and the other thread may have found this one inside.
                    run();
                }
                busy.add(System.nanoTime() - begin);
            }
        }

        @Override
        public void run() {
            Place at = place;
            if (at != null) {
                at.workers.wakeOne();
            }
        }

        @Override
        protected void runAgain() {
            balance(System.nanoTime());
        }

        @Override
        protected String description() {
            return "on a thread of " + ProcessorThreads.this;
        }

        @Override
        protected void end() {
            remove(this);
        }
    }
}
