package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that comes in and is sent on costs no garbage. */
@Tag(Depth.OPTIMIZED)
@EnabledOnOs(OS.LINUX)
class ProactorAllocationTest extends LeakChecked {

    private static final String NAME = "io_uring";
    private static final int MESSAGES = 50_000;
    private static final int FILE = 5_000;

    private Proactor proactor;

    /** Sends a file between a head and a tail, over and over. */
    private static final class Transmitter implements CompletionHandler {

        private final AsyncStream stream;
        private final FileHandle file;
        private final ByteBuffer head = ByteBuffer.allocateDirect(200);
        private final ByteBuffer tail;
        private int messages;

        Transmitter(Proactor proactor, SocketStream stream, FileHandle file, ByteBuffer tail) throws IOException {
            this.stream = new AsyncStream(proactor, stream, this);
            this.file = file;
            this.tail = tail;
        }

        void transmit() {
            stream.transmitFile(file, 0, FILE, head.clear(), tail.clear(), null);
        }

        @Override
        public void handleCompletion(Completion completion) {
            assertEquals(head.capacity() + FILE + tail.capacity(), completion.bytesTransferred());
            messages++;
        }
    }

    /** Reads a part of a file and writes it, over and over. */
    private static final class Copier implements CompletionHandler {

        private final AsyncFile file;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(FILE);
        private int transfers;

        Copier(Proactor proactor, FileHandle file) throws IOException {
            this.file = new AsyncFile(proactor, file, this);
        }

        void read() {
            file.read(buffer.clear(), 0, null);
        }

        @Override
        public void handleCompletion(Completion completion) {
            assertEquals(FILE, completion.bytesTransferred());
            transfers++;
            if (completion.type() == OperationType.READ) {
                file.write(buffer.flip(), 0, null);
            } else {
                read();
            }
        }
    }

    /** Something that is done many times. */
    private interface Messages {
        void run() throws IOException;
    }

    @Test
    void echoAllocatesNothing() throws Exception {
        open();
        Connection connection = own(Connection.unix());
        EchoingProactor.Echo near = new EchoingProactor.Echo(proactor, connection.near());
        connection.send("a message");
        new EchoingProactor.Echo(proactor, connection.far());
        assertAllocatesNothing(() -> exchange(near));
    }

    @Test
    void echoOfConnectionsAllocatesNothing() throws Exception {
        open();
        int[] messages = new int[1];
        StreamHandler echo = (stream, buffer) -> {
            messages[0]++;
            stream.send(buffer);
        };
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> echo);
        AsyncStream near = AsyncStream.connect(proactor, acceptor.localAddress(), EventLoopContract.LIMIT, echo);
        near.send(ByteBuffer.wrap(new byte[9]));
        assertAllocatesNothing(() -> {
            int target = messages[0] + MESSAGES;
            while (messages[0] < target) {
                proactor.runOnce();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void transmissionAllocatesNothing(boolean direct, @TempDir Path directory) throws Exception {
        open();
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), new byte[FILE])));
        Connection connection = own(Connection.unix());
        ByteBuffer tail = direct ? ByteBuffer.allocateDirect(10) : ByteBuffer.allocate(10);
        Transmitter transmitter = new Transmitter(proactor, connection.near(), file, tail);
        ByteBuffer received = ByteBuffer.allocateDirect(8 * 1024);
        assertAllocatesNothing(() -> transmit(transmitter, connection.far(), received));
    }

    /** What the cache serves, by calls of the loop thread. */
    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll"})
    void readsAndWritesOfAFileAllocateNothing(String name, @TempDir Path directory) throws Exception {
        open(name);
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), new byte[FILE]),
                StandardOpenOption.READ, StandardOpenOption.WRITE));
        Copier copier = new Copier(proactor, file);
        copier.read();
        assertAllocatesNothing(() -> {
            int target = copier.transfers + MESSAGES;
            while (copier.transfers < target) {
                proactor.runOnce();
            }
        });
    }

    private void open() throws Exception {
        open(NAME);
    }

    private void open(String name) throws Exception {
        assumeTrue(Bindings.current().name().equals("ffm"),
                "JNA makes an object of each direct buffer's address, which Sluice cannot change");
        assumeTrue(Mechanism.available().stream()
                .anyMatch(factory -> factory.name().equals(name) && factory.availability().usable()), "no io_uring");
        proactor = own(Proactor.open(name));
    }

    private static void assertAllocatesNothing(Messages messages) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        double perMessage = Double.MAX_VALUE;
        // How soon the compiler has its last word is its own affair, so the measurement is repeated until it has.
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        while (perMessage >= 1 && System.nanoTime() - end < 0) {
            long before = threads.getThreadAllocatedBytes(self);
            messages.run();
            perMessage = (double) (threads.getThreadAllocatedBytes(self) - before) / MESSAGES;
        }
        double measured = perMessage;
        assertTrue(measured < 1, () -> measured + " bytes per message");
    }

    private void transmit(Transmitter transmitter, SocketStream far, ByteBuffer received) throws IOException {
        for (int i = 0; i < MESSAGES; i++) {
            int target = transmitter.messages + 1;
            transmitter.transmit();
            while (transmitter.messages < target) {
                proactor.runOnce();
            }
            far.receive(received.clear());
        }
    }

    private void exchange(EchoingProactor.Echo near) throws IOException {
        int target = near.messages() + MESSAGES / 2;
        while (near.messages() < target) {
            proactor.runOnce();
        }
    }
}
