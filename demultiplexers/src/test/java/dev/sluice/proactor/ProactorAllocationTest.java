package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A message that comes in and is sent on costs no garbage. */
@EnabledOnOs(OS.LINUX)
class ProactorAllocationTest extends LeakChecked {

    private static final String NAME = "io_uring";
    private static final int MESSAGES = 50_000;

    private Proactor proactor;

    /** Sends back what it receives, out of the buffer that it came in. */
    private static final class Echo implements CompletionHandler {

        private final AsyncStream stream;
        private int messages;

        Echo(Proactor proactor, SocketStream stream) throws IOException {
            this.stream = new AsyncStream(proactor, stream, this);
            this.stream.receiveContinuously(null);
        }

        @Override
        public void handleReceive(Completion completion) {
            if (!completion.isLast()) {
                messages++;
                ProvidedBuffer received = completion.buffer().keep();
                stream.send(received.buffer(), received);
            }
        }

        @Override
        public void handleSend(Completion completion) {
            ((ProvidedBuffer) completion.token()).release();
        }
    }

    @Test
    void echoAllocatesNothing() throws Exception {
        assumeTrue(Bindings.current().name().equals("ffm"),
                "JNA makes an object of each direct buffer's address, which nobody here can change");
        assumeTrue(Demultiplexers.available().stream()
                .anyMatch(factory -> factory.name().equals(NAME) && factory.availability().usable()), "no io_uring");
        proactor = own(Proactor.open(NAME));
        Connection connection = own(Connection.unix());
        Echo near = new Echo(proactor, connection.near());
        connection.send("a message");
        new Echo(proactor, connection.far());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        double perMessage = Double.MAX_VALUE;
        // How soon the compiler has its last word is its own affair, so the measurement is repeated until it has.
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        while (perMessage >= 1 && System.nanoTime() - end < 0) {
            long before = threads.getThreadAllocatedBytes(self);
            exchange(near);
            perMessage = (double) (threads.getThreadAllocatedBytes(self) - before) / MESSAGES;
        }
        double measured = perMessage;
        assertTrue(measured < 1, () -> measured + " bytes per message");
    }

    private void exchange(Echo near) throws IOException {
        int target = near.messages + MESSAGES / 2;
        while (near.messages < target) {
            proactor.handleEvents();
        }
    }
}
