package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AsynchronousFileContract;

/** Threads execute what a kernel has no request for. */
@EnabledIfIoUring
class IoUringPlainFileContractTest extends AsynchronousFileContract {

    IoUringPlainFileContractTest() {
        super(IoUring.PLAIN);
    }
}
