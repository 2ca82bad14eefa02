package dev.sluice.stage;

import dev.sluice.eventloop.LoopThread;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Who runs a stage. */
enum StageKind {
    OWN_THREAD, OWN_THREADS, POOL, LOOP, DIRECT;

    private static final int THREADS = 3;

    /** {@return options for a stage of this kind, in a scene} */
    <E> StageOptions<E> options(Scene scene) throws IOException {
        StageOptions<E> options = new StageOptions<>();
        return switch (this) {
            case OWN_THREAD -> options;
            case OWN_THREADS -> options.ownThreads(THREADS, THREADS);
            case POOL -> options.pool(scene.pool());
            case LOOP -> options.loop(scene.loop());
            case DIRECT -> options.direct();
        };
    }

    /** What stages run on. Closing it ends that. */
    static final class Scene implements AutoCloseable {

        private final Deque<AutoCloseable> owned = new ArrayDeque<>();
        private StagePool pool;
        private Proactor loop;

        StagePool pool() {
            if (pool == null) {
                pool = new StagePool("pool of a test", THREADS);
                owned.push(pool);
            }
            return pool;
        }

        Proactor loop() throws IOException {
            if (loop == null) {
                loop = Proactor.open();
                owned.push(loop);
                owned.push(new LoopThread(loop));
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
