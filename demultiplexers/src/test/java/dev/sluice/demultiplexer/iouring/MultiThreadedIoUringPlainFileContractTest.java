package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousFileContract;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;

/** Threads execute what a kernel has no request for, and end the wait of one of the threads that share the ring. */
@Tag(Depth.IN_MATRIX)
@EnabledIfIoUring
class MultiThreadedIoUringPlainFileContractTest extends AsynchronousFileContract {

    MultiThreadedIoUringPlainFileContractTest() {
        super(IoUring.MULTI_THREADED_PLAIN);
    }
}
