package dev.sluice.demultiplexer.emulated;

import static dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is special about the emulation; that it fulfils the contract is tested for each mechanism under it. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class EmulationTest {

    private static final int MORE_THAN_A_FIFO_HOLDS = 1 << 20;

    /** Lets the openings of a FIFO return. On Linux it is opened in both directions without waiting (fifo(7)). */
    private FileHandle writer;

    @AfterEach
    void closeWriter() {
        if (writer != null) {
            writer.close();
        }
    }

    @Test
    void refusesWhatDoesNotReportReadinessAgain() throws IOException {
        for (Trigger trigger : List.of(Trigger.EDGE, Trigger.ONE_SHOT)) {
            try (EpollDemultiplexer readiness = new EpollDemultiplexer("epoll", trigger)) {
                assertThrows(IllegalArgumentException.class, () -> emulation(readiness));
            }
        }
    }

    @Test
    void severalThreadsNeedASetThatReportsOnce() throws IOException {
        for (Trigger trigger : List.of(Trigger.EDGE, Trigger.LEVEL)) {
            try (EpollDemultiplexer readiness = new EpollDemultiplexer("epoll", trigger)) {
                assertThrows(IllegalArgumentException.class,
                        () -> new MultiThreadedEmulatedDemultiplexer(readiness, ProvidedBuffers.Size.DEFAULT,
                                FilePool.DEFAULT_MAX));
            }
        }
    }

    /** Bytes stay unread and the socket stays writable, and no operation waits for either any more. */
    @Test
    void unusedReadinessEndsNoWait() throws IOException {
        CountedWaits readiness = new CountedWaits(new EpollDemultiplexer("epoll", Trigger.LEVEL));
        try (AsynchronousEventDemultiplexer emulation = emulation(readiness);
                Completions completions = emulation.newCompletions(1);
                SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
                SocketStream near = SocketConnector.connect(acceptor.localAddress(), Duration.ofSeconds(30));
                SocketStream far = acceptor.accept(Duration.ofSeconds(30))) {
            far.send(ByteBuffer.allocate(2));
            Association association = emulation.associate(near.handle());
            Operation operation = emulation.newOperation();
            operation.receive(association, ByteBuffer.allocate(1));
            assertEquals(1, emulation.awaitCompletions(completions, FOREVER));
            operation.poll(association, EventType.WRITE);
            assertEquals(1, emulation.awaitCompletions(completions, FOREVER));
            readiness.waits = 0;
            assertEquals(0, emulation.awaitCompletions(completions, TimeUnit.MILLISECONDS.toNanos(100)));
            assertTrue(readiness.waits < 10, () -> readiness.waits + " waits for nothing");
        }
    }

    /** Opening a FIFO waits until the other end is opened. */
    @ParameterizedTest
    @ValueSource(ints = {1, FilePool.DEFAULT_MAX})
    void threadsForFilesAreBoundedAndWhatWaitsForThemIsCancelled(int threads, @TempDir Path directory)
            throws Exception {
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor());
        try (AsynchronousEventDemultiplexer emulation = new EmulatedDemultiplexer(
                        new EpollDemultiplexer("epoll", Trigger.LEVEL), ProvidedBuffers.Size.DEFAULT,
                        threads);
                Completions completions = emulation.newCompletions(1)) {
            Operation last = null;
            for (int i = 0; i < threads + 1; i++) {
                last = emulation.newOperation();
                last.open(fifo);
            }
            assertEquals(0, emulation.awaitCompletions(completions, 0));
            last.cancel();
            emulation.awaitCompletions(completions, FOREVER);
            writer = FileHandle.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE);
            assertEquals(last, completions.operation(0));
            assertEquals(-Errno.ECANCELED.number(), completions.result(0));
            for (int i = 0; i < threads; i++) {
                assertEquals(1, emulation.awaitCompletions(completions, FOREVER));
                assertEquals(0, completions.result(0));
                completions.get(0).file().close();
            }
        }
    }

    /** The only thread writes to a FIFO that is full, while the others wait for it. */
    @Test
    void whatWaitsForAThreadIsTakenInTheOrderOfPriorities(@TempDir Path directory) throws Exception {
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor());
        Path log = Files.createFile(directory.resolve("log"));
        try (AsynchronousEventDemultiplexer emulation = new EmulatedDemultiplexer(
                        new EpollDemultiplexer("epoll", Trigger.LEVEL), ProvidedBuffers.Size.DEFAULT,
                        1);
                Completions completions = emulation.newCompletions(1);
                FileHandle end = FileHandle.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE);
                InputStream reader = Files.newInputStream(fifo);
                FileHandle blocked = FileHandle.open(fifo, StandardOpenOption.APPEND);
                Appenders appenders = new Appenders(emulation, log)) {
            assertTrue(end.handle().isOpen());
            Association first = emulation.associate(blocked.handle());
            first.prioritize(Integer.MAX_VALUE);
            emulation.newOperation().write(first, ByteBuffer.allocateDirect(MORE_THAN_A_FIFO_HOLDS), 0);
            appenders.append('a', -1);
            appenders.append('b', 0);
            appenders.append('c', 2);
            appenders.append('d', Integer.MIN_VALUE);
            appenders.append('e', 2);
            assertEquals(0, emulation.awaitCompletions(completions, 0));
            assertEquals("", Files.readString(log));
            assertEquals(MORE_THAN_A_FIFO_HOLDS, reader.readNBytes(MORE_THAN_A_FIFO_HOLDS).length);
            for (int i = 0; i <= appenders.count(); i++) {
                assertEquals(1, emulation.awaitCompletions(completions, FOREVER));
                assertTrue(completions.result(0) > 0, () -> completions.operation(0).toString());
            }
            assertEquals("cebad", Files.readString(log));
        }
    }

    /** Operations that each append a letter to a file, so that it shows their order. */
    private static final class Appenders implements AutoCloseable {

        private final AsynchronousEventDemultiplexer emulation;
        private final Path log;
        private final List<FileHandle> files = new ArrayList<>();

        Appenders(AsynchronousEventDemultiplexer emulation, Path log) {
            this.emulation = emulation;
            this.log = log;
        }

        void append(char letter, int priority) throws IOException {
            // The loop thread leaves those that wait for the disk to the threads.
            FileHandle file = FileHandle.open(log, StandardOpenOption.APPEND, StandardOpenOption.DSYNC);
            files.add(file);
            Association association = emulation.associate(file.handle());
            association.prioritize(priority);
            emulation.newOperation().write(association, ByteBuffer.wrap(new byte[] {(byte) letter}), 0);
        }

        int count() {
            return files.size();
        }

        @Override
        public void close() {
            files.forEach(FileHandle::close);
        }
    }

    private static AsynchronousEventDemultiplexer emulation(SynchronousEventDemultiplexer readiness) {
        return new EmulatedDemultiplexer(readiness, ProvidedBuffers.Size.DEFAULT, FilePool.DEFAULT_MAX);
    }

    /** Counts the waits. */
    private static final class CountedWaits implements SynchronousEventDemultiplexer {

        private final SynchronousEventDemultiplexer counted;
        private int waits;

        CountedWaits(SynchronousEventDemultiplexer counted) {
            this.counted = counted;
        }

        @Override
        public String name() {
            return counted.name();
        }

        @Override
        public HandleSetKind handleSetKind() {
            return counted.handleSetKind();
        }

        @Override
        public Trigger trigger() {
            return counted.trigger();
        }

        @Override
        public ReadyBatch newReadyBatch(int capacity) {
            return counted.newReadyBatch(capacity);
        }

        @Override
        public Membership register(Handle handle, int events, Object attachment) throws IOException {
            return counted.register(handle, events, attachment);
        }

        @Override
        public int awaitReady(ReadyBatch ready, long timeoutNanos) throws IOException {
            waits++;
            return counted.awaitReady(ready, timeoutNanos);
        }

        @Override
        public void wakeUp() {
            counted.wakeUp();
        }

        @Override
        public void close() {
            counted.close();
        }
    }
}
