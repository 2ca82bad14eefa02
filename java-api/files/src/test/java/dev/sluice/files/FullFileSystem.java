package dev.sluice.files;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.SmallJvm;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A program that writes to a small file system until that is full, deletes a file, and writes the rest: in all ways on
 * each demultiplexer, whose name it prints then. It ends with a stack trace if a check fails.
 */
final class FullFileSystem {

    /** The size of the file system. */
    static final int BYTES = 1 << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** The length of the file that leaves less space than the contents below need, and more with its deletion. */
    private static final int OTHER = 700_000;
    /** More than a loop thread writes itself, so that the demultiplexer executes it. */
    private static final byte[] LONG = Bytes.random(CachedTransfers.DEFAULT_BYTES + 80_000);
    /** As many as a loop thread may write itself. */
    private static final byte[] SHORT = Bytes.random(400_000);

    private FullFileSystem() {
    }

    /** A method that writes the remaining bytes of a buffer. */
    private interface Writing {
        CompletableFuture<Long> start(AsyncFile file, ByteBuffer source, long position);
    }

    /** A way to write. */
    private enum Way {
        WRITING(AsyncFile::writeFuture),
        /** The position has no effect. */
        APPENDING((file, source, position) -> file.writeFuture(source, 0)),
        FORCING(AsyncFile::writeAndForceDataFuture);

        private final Writing writing;

        Way(Writing writing) {
            this.writing = writing;
        }
    }

    /**
     * Fills the file system.
     *
     * @param arguments the directory, in which there is no file, and the demultiplexers
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        for (String demultiplexer : List.of(arguments).subList(1, arguments.length)) {
            for (Way way : Way.values()) {
                String what = demultiplexer + ", " + way;
                // One call is given all bytes, or in the last case as many as fit into memory for calls.
                fill(what + ", long", demultiplexer, directory, way, Bytes.direct(LONG));
                fill(what + ", short", demultiplexer, directory, way, Bytes.direct(SHORT));
                fill(what + ", of the heap", demultiplexer, directory, way, ByteBuffer.wrap(LONG));
            }
            fillByBatch(demultiplexer, directory);
            System.out.println(SmallJvm.MARK + demultiplexer);
        }
    }

    private static Path createOther(Path directory) throws IOException {
        return Files.write(directory.resolve("other"), new byte[OTHER]);
    }

    // Single operations

    private static void fill(String what, String demultiplexer, Path directory, Way way, ByteBuffer source)
            throws Exception {
        Path other = createOther(directory);
        Path path = directory.resolve("file");
        byte[] content = new byte[source.remaining()];
        source.get(0, content);
        try (Proactor proactor = Proactor.open(demultiplexer);
                FileHandle file = FileHandle.open(path, CREATE_NEW, way == Way.APPENDING ? APPEND : WRITE)) {
            AsyncFile operations = new AsyncFile(proactor, file);
            SystemCallException failure = failure(what, proactor, way.writing.start(operations, source, 0));
            int written = source.position();
            // A call has written less than it was given, and another one has followed.
            assertTrue(written > 0 && source.hasRemaining(), () -> what + ": " + written + " bytes fit");
            assertEquals(written, file.size(), what);
            assertEquals(way == Way.FORCING, failure.getMessage().contains(written + " bytes were written before"),
                    failure.getMessage());
            failure(what, proactor, way.writing.start(operations, source, written));
            assertEquals(written, source.position(), what);
            assertEquals(written, file.size(), what);
            Files.delete(other);
            assertEquals(content.length - written,
                    result(what, proactor, way.writing.start(operations, source, written)), what);
            assertFalse(source.hasRemaining(), what);
        }
        assertContent(what, content, path);
        Files.delete(path);
    }

    private static void await(String what, Proactor proactor, CompletableFuture<Long> future) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!future.isDone()) {
            assertTrue(System.nanoTime() - end < 0, () -> what + " does not complete");
            proactor.runOnce(PATIENCE);
        }
    }

    private static long result(String what, Proactor proactor, CompletableFuture<Long> future) throws Exception {
        await(what, proactor, future);
        return future.get();
    }

    private static SystemCallException failure(String what, Proactor proactor, CompletableFuture<Long> future)
            throws IOException {
        await(what, proactor, future);
        return assertFull(what, assertThrows(ExecutionException.class, future::get, what).getCause());
    }

    private static SystemCallException assertFull(String what, Throwable failure) {
        SystemCallException e = assertInstanceOf(SystemCallException.class, failure, what);
        assertEquals("ENOSPC", e.errorName(), e.getMessage());
        assertEquals("pwrite", e.call(), e.getMessage());
        return e;
    }

    private static void assertContent(String what, byte[] expected, Path path) throws IOException {
        assertTrue(Arrays.equals(expected, Files.readAllBytes(path)), () -> what + ": other bytes are in the file");
    }

    // Batches

    /** Two operations at once, neither of which fits alone. */
    private static void fillByBatch(String demultiplexer, Path directory) throws IOException {
        Path other = createOther(directory);
        List<Path> paths = List.of(directory.resolve("written"), directory.resolve("forced"));
        List<ByteBuffer> sources = List.of(Bytes.direct(SHORT), Bytes.direct(SHORT));
        try (FileLoop loop = FileLoop.open(Proactor.builder().demultiplexer(demultiplexer));
                LoopFile written = loop.openFile(paths.get(0), CREATE_NEW, WRITE);
                LoopFile forced = loop.openFile(paths.get(1), CREATE_NEW, WRITE)) {
            FileBatch batch = new FileBatch(loop, 2);
            batch.write(written, sources.get(0), 0);
            batch.writeAndForceData(forced, sources.get(1), 0);
            IOException failure = assertThrows(IOException.class, batch::await, demultiplexer);
            assertSame(batch.error(0), failure, demultiplexer);
            for (int i = 0; i < 2; i++) {
                assertFull(demultiplexer, batch.error(i));
                assertEquals(batch.bytes(i), sources.get(i).position(), demultiplexer);
                assertEquals(batch.bytes(i), Files.size(paths.get(i)), demultiplexer);
            }
            assertTrue(batch.bytes(0) + batch.bytes(1) > 0, demultiplexer);
            Files.delete(other);
            batch.write(written, sources.get(0), sources.get(0).position());
            batch.writeAndForceData(forced, sources.get(1), sources.get(1).position());
            batch.await();
        }
        for (Path path : paths) {
            assertContent(demultiplexer, SHORT, path);
            Files.delete(path);
        }
    }
}
