package dev.sluice.stages;

import dev.sluice.eventloop.LoopRunner;
import dev.sluice.proactor.Proactor;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/** The threads that run a stage. */
enum StageKind {
    OWN_THREAD, OWN_THREADS, OWN_VIRTUAL_THREADS, POOL, PROCESSORS, TASKS, LOOP, DIRECT;

    private static final int THREADS = 3;
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    /** Marks tests that a direct stage, which has no queue, is not for. */
    @Inherited
    @Retention(RetentionPolicy.RUNTIME)
    @interface Queued { }

    /** {@return those that this Java has the threads for, and that the test is for} */
    static Stream<StageKind> availableFor(TestInfo test) {
        boolean queued = test.getTestClass().orElseThrow().isAnnotationPresent(Queued.class);
        return Depth.first(test, available().stream().filter(kind -> kind != DIRECT || !queued), values().length);
    }

    /** {@return those that this Java has the threads for} */
    static List<StageKind> available() {
        return Arrays.stream(values())
                .filter(kind -> kind != OWN_VIRTUAL_THREADS
                        || Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS)
                .toList();
    }

    /** {@return options for a stage of this kind, in a scene} */
    <E> StageOptions<E> options(Scene scene) throws IOException {
        StageOptions<E> options = new StageOptions<>();
        return switch (this) {
            case OWN_THREAD -> options;
            case OWN_THREADS -> options.ownThreads(THREADS, THREADS);
            case OWN_VIRTUAL_THREADS -> options.ownThreads(THREADS, THREADS, virtualThreads());
            case POOL -> options.pool(scene.pool());
            case PROCESSORS -> options.threads(scene.processors());
            case TASKS -> options.executor(scene.executor(), THREADS);
            case LOOP -> options.loop(scene.loop());
            case DIRECT -> options.direct();
        };
    }

    static ThreadFactory virtualThreads() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** What stages run on. Closing it ends that. */
    static final class Scene implements AutoCloseable {

        private final Deque<AutoCloseable> owned = new ArrayDeque<>();
        private StagePool pool;
        private Proactor loop;
        private ProcessorThreads processors;
        private ExecutorService executor;

        StagePool pool() {
            if (pool == null) {
                pool = new StagePool("pool of a test", THREADS);
                owned.push(pool);
            }
            return pool;
        }

        ProcessorThreads processors() {
            if (processors == null) {
                processors = new ProcessorThreads("processors of a test", 2);
                owned.push(processors);
            }
            return processors;
        }

        ExecutorService executor() {
            if (executor == null) {
                executor = Executors.newCachedThreadPool(new StageThreadFactory("tasks of a test"));
                owned.push(executor::shutdownNow);
            }
            return executor;
        }

        Proactor loop() throws IOException {
            if (loop == null) {
                loop = Proactor.open();
                owned.push(loop);
                owned.push(new LoopRunner(loop));
            }
            return loop;
        }

        @Override
        public void close() throws Exception {
            for (AutoCloseable closeable : owned) {
                closeable.close();
            }
        }
    }
}
