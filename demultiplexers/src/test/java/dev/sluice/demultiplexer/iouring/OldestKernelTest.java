package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.AcceptContract;
import dev.sluice.demultiplexer.CancelContract;
import dev.sluice.demultiplexer.DatagramContract;
import dev.sluice.demultiplexer.ProvidedBufferContract;
import dev.sluice.demultiplexer.ReadinessContract;
import dev.sluice.demultiplexer.ReceiveContract;
import dev.sluice.demultiplexer.RegistrationContract;
import dev.sluice.demultiplexer.ScarceProvidedBufferContract;
import dev.sluice.demultiplexer.SendContract;
import dev.sluice.demultiplexer.TransmitFileContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The topics of the contracts that depend most on what the kernel has, on the oldest kernel that is supported. */
@EnabledIfIoUring
class OldestKernelTest {

    private static LesserKernel.Running running;

    @BeforeAll
    static void runKernel() {
        running = LesserKernel.LINUX_5_11.run();
    }

    @AfterAll
    static void leaveKernel() {
        running.close();
    }

    @Nested
    class Accepting extends AcceptContract {
        Accepting() {
            super(IoUring.USUAL);
        }
    }

    @Nested
    class Receiving extends ReceiveContract {
        Receiving() {
            super(IoUring.USUAL);
        }
    }

    @Nested
    class Sending extends SendContract {
        Sending() {
            super(IoUring.USUAL);
        }
    }

    @Nested
    class ProvidedBuffers extends ProvidedBufferContract {
        ProvidedBuffers() {
            super(IoUring.USUAL);
        }
    }

    @Nested
    class ScarceProvidedBuffers extends ScarceProvidedBufferContract {
        ScarceProvidedBuffers() {
            super(IoUring.USUAL);
        }
    }

    @Nested
    class Datagrams extends DatagramContract {
        Datagrams() {
            super(IoUring.USUAL);
        }
    }

    @Nested
    class Transmitting extends TransmitFileContract {
        Transmitting() {
            super(IoUring.USUAL);
        }
    }

    @Nested
    class Cancelling extends CancelContract {
        Cancelling() {
            super(IoUring.USUAL);
        }
    }

    @Nested
    class Readiness extends ReadinessContract {
        Readiness() {
            super(IoUringPollDemultiplexer.NAME);
        }
    }

    @Nested
    class Registrations extends RegistrationContract {
        Registrations() {
            super(IoUringPollDemultiplexer.NAME);
        }
    }
}
