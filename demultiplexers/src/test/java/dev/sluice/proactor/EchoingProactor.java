package dev.sluice.proactor;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.SmallJvm;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.WineDifference;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/** A program that says how many bytes of garbage a message costs that a proactor receives and sends back. */
final class EchoingProactor {

    private static final int MESSAGES = WineDifference.times(50_000);

    /** Sends back what it receives, out of the buffer that it came in. */
    static class Echo implements CompletionHandler {

        private final AsyncStream stream;
        private int messages;

        Echo(Proactor proactor, SocketStream stream) throws IOException {
            this.stream = new AsyncStream(proactor, stream, this);
            this.stream.receiveContinuously(null);
        }

        int messages() {
            return messages;
        }

        @Override
        public void handleCompletion(Completion completion) {
            if (completion.type() == OperationType.SEND) {
                sent(completion);
            } else {
                received(completion);
            }
        }

        void received(Completion completion) {
            if (!completion.isLast()) {
                messages++;
                RetainedBuffer received = completion.buffer().retain();
                stream.send(received.bytes(), received);
            }
        }

        private void sent(Completion completion) {
            ((RetainedBuffer) completion.token()).close();
        }
    }

    /** Measures as it echoes, until a message costs nothing or time is over: only a run keeps what its thread needs. */
    private static final class MeasuringEcho extends Echo {

        private final Proactor proactor;
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        private long before = Long.MIN_VALUE;
        private double perMessage = Double.MAX_VALUE;

        MeasuringEcho(Proactor proactor, SocketStream stream) throws IOException {
            super(proactor, stream);
            this.proactor = proactor;
        }

        @Override
        void received(Completion completion) {
            super.received(completion);
            // Both ends echo.
            if (messages() % (MESSAGES / 2) == 0) {
                long allocated = threads.getCurrentThreadAllocatedBytes();
                if (before != Long.MIN_VALUE) {
                    perMessage = (double) (allocated - before) / MESSAGES;
                }
                before = allocated;
                // How soon the compiler has its last word is its own affair, so the measurement is repeated until then.
                if (perMessage < 1 || System.nanoTime() - end > 0) {
                    proactor.stop();
                }
            }
        }
    }

    private EchoingProactor() {
    }

    public static void main(String[] none) throws IOException {
        try (Proactor proactor = Proactor.open(); Connection connection = Connection.unix()) {
            MeasuringEcho near = new MeasuringEcho(proactor, connection.near());
            connection.send("a message");
            new Echo(proactor, connection.far());
            proactor.run();
            System.out.println(SmallJvm.MARK + near.perMessage);
        }
    }
}
