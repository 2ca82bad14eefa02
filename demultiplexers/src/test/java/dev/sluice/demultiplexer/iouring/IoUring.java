package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousMechanism;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import java.io.IOException;

/** The ways in which io_uring is used. */
enum IoUring implements AsynchronousMechanism {
    /** As users open it. */
    USUAL {
        @Override
        public AsynchronousEventDemultiplexer open() throws IOException {
            return OpenedDemultiplexers.openAsynchronous(IoUringDemultiplexer.NAME);
        }

        @Override
        public AsynchronousEventDemultiplexer openSmall() throws IOException {
            return new IoUringDemultiplexer(SMALL, false);
        }
    },
    /** As users open it, on a kernel that a test plays. */
    LESSER_KERNEL {
        @Override
        public AsynchronousEventDemultiplexer open() throws IOException {
            return USUAL.open();
        }

        @Override
        public AsynchronousEventDemultiplexer openSmall() throws IOException {
            return USUAL.openSmall();
        }

        @Override
        public boolean isOnLesserKernel() {
            return true;
        }
    },
    /** Without what only newer kernels have. */
    PLAIN {
        @Override
        public AsynchronousEventDemultiplexer open() throws IOException {
            return new IoUringDemultiplexer(IoUringSize.configured(), true);
        }

        @Override
        public AsynchronousEventDemultiplexer openSmall() throws IOException {
            return new IoUringDemultiplexer(SMALL, true);
        }
    },
    /** With a ring that several threads share. */
    MULTI_THREADED {
        @Override
        public AsynchronousEventDemultiplexer open() throws IOException {
            return OpenedDemultiplexers.openAsynchronous(MultiThreadedIoUringDemultiplexer.NAME);
        }

        @Override
        public AsynchronousEventDemultiplexer openSmall() throws IOException {
            return new MultiThreadedIoUringDemultiplexer(SMALL, false);
        }
    },
    /** The same without what only newer kernels have. */
    MULTI_THREADED_PLAIN {
        @Override
        public AsynchronousEventDemultiplexer open() throws IOException {
            return new MultiThreadedIoUringDemultiplexer(IoUringSize.configured(), true);
        }

        @Override
        public AsynchronousEventDemultiplexer openSmall() throws IOException {
            return new MultiThreadedIoUringDemultiplexer(SMALL, true);
        }
    },
    /** With every send of more than a few bytes made without copying. */
    ZERO_COPY {
        @Override
        public AsynchronousEventDemultiplexer open() throws IOException {
            return new IoUringDemultiplexer(WITHOUT_COPY, false);
        }

        @Override
        public AsynchronousEventDemultiplexer openSmall() throws IOException {
            return new IoUringDemultiplexer(SMALL_WITHOUT_COPY, false);
        }

        @Override
        public boolean cancellingASendResets() {
            return true;
        }
    },
    /** The same with a ring that several threads share. */
    MULTI_THREADED_ZERO_COPY {
        @Override
        public AsynchronousEventDemultiplexer open() throws IOException {
            return new MultiThreadedIoUringDemultiplexer(WITHOUT_COPY, false);
        }

        @Override
        public AsynchronousEventDemultiplexer openSmall() throws IOException {
            return new MultiThreadedIoUringDemultiplexer(SMALL_WITHOUT_COPY, false);
        }

        @Override
        public boolean cancellingASendResets() {
            return true;
        }
    },
    /** As {@link #ZERO_COPY}, on a kernel that refuses each such send when it is made: it is made again with a copy. */
    ZERO_COPY_REFUSED {
        @Override
        public AsynchronousEventDemultiplexer open() throws IOException {
            return ZERO_COPY.open();
        }

        @Override
        public AsynchronousEventDemultiplexer openSmall() throws IOException {
            return ZERO_COPY.openSmall();
        }
    };

    static final IoUringSize SMALL = new IoUringSize(8, 16, new ProvidedBuffers.Size(4096, 4, 4),
            IoUringSize.NEVER);
    /** Sends of at least this many bytes are not copied. */
    private static final int FROM = 16;
    private static final IoUringSize WITHOUT_COPY =
            new IoUringSize(1024, 8192, ProvidedBuffers.Size.DEFAULT, FROM);
    private static final IoUringSize SMALL_WITHOUT_COPY =
            new IoUringSize(SMALL.submissions(), SMALL.completions(), SMALL.providedBuffers(), FROM);

    static boolean isAllowed() {
        return Mechanism.available().stream()
                .anyMatch(factory -> factory.mode() == Mode.ASYNCHRONOUS
                        && factory.name().equals(IoUringDemultiplexer.NAME) && factory.availability().usable());
    }
}
