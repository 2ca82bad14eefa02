package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.files.FileLoop;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fail while a file is written or synced. */
@EnabledOnOs(OS.LINUX)
class FailedSyncTest extends LeakChecked {

    @TempDir
    Path path;

    private FaultInjection faults;
    private FileLoop loop;
    private Directory directory;

    @BeforeEach
    void open() throws IOException {
        faults = FaultInjection.install();
        // There, threads make the calls that have the faults.
        loop = FileLoop.open(Proactor.builder().demultiplexer("poll"));
        directory = TestedDirectory.DEFAULT.open(path, loop, 4);
    }

    @AfterEach
    void close() throws IOException {
        directory.close();
        loop.close();
        faults.close();
    }

    private void create(String name) throws IOException {
        try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
            output.writeString(name);
        }
    }

    @Test
    void syncsAllFilesAndTheirNames() throws IOException {
        create("a");
        create("b");
        directory.sync(List.of("a", "b"));
        assertEquals(2, faults.calls("fdatasync"));
        assertEquals(0, faults.calls("fsync"));
        directory.syncMetaData();
        assertEquals(1, faults.calls("fsync"));
        directory.sync(Set.of());
        assertEquals(2, faults.calls("fdatasync"));
    }

    /** A commit may have more files than the process may open. */
    @Test
    void syncsManyFilesInParts() throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i <= DurableFiles.MAX_OPEN; i++) {
            names.add("file" + i);
            create("file" + i);
        }
        directory.sync(names);
        assertEquals(names.size(), faults.calls("fdatasync"));
        faults.failNth("fdatasync", 1, Errno.EIO);
        assertThrows(IOException.class, () -> directory.sync(names));
        assertEquals(names.size() + DurableFiles.MAX_OPEN, faults.calls("fdatasync"));
    }

    @Test
    void refusesToSyncAfterASyncHasFailed() throws IOException {
        create("a");
        create("b");
        faults.failNth("fdatasync", 1, Errno.EIO);
        IOException first = assertThrows(IOException.class, () -> directory.sync(List.of("a", "b")));
        assertTrue(first.getMessage().contains("EIO"), first.getMessage());
        assertRefused(first, () -> directory.sync(List.of("a", "b")));
        assertRefused(first, () -> directory.sync(List.of("b")));
        assertRefused(first, () -> directory.syncMetaData());
        assertEquals(2, faults.calls("fdatasync"));
        assertEquals(0, faults.calls("fsync"));
    }

    @Test
    void refusesToSyncAfterTheNamesCouldNotBeSynced() throws IOException {
        create("a");
        faults.failNth("fsync", 1, Errno.EIO);
        IOException first = assertThrows(IOException.class, () -> directory.syncMetaData());
        assertRefused(first, () -> directory.sync(List.of("a")));
    }

    /** Lucene's own directories work there, too. */
    @Test
    void aFileSystemThatForcesNoDirectoriesIsNoFailedSync() throws IOException {
        create("a");
        create("b");
        faults.failEach("fsync", Errno.EINVAL);
        directory.syncMetaData();
        directory.deleteFile("a");
        directory.sync(List.of("b"));
        assertEquals(1, faults.calls("fdatasync"));
        assertEquals(1, faults.calls("fsync"));
    }

    @Test
    void aFileThatIsMissingIsNoFailedSync() throws IOException {
        create("a");
        assertThrows(NoSuchFileException.class, () -> directory.sync(List.of("a", "b")));
        directory.sync(List.of("a"));
        assertEquals(1, faults.calls("fdatasync"));
    }

    private static void assertRefused(IOException first, Executable sync) {
        IOException refusal = assertThrows(IOException.class, sync);
        assertTrue(refusal.getMessage().contains("refused"), refusal.getMessage());
        assertSame(first, refusal.getCause());
    }

    @Test
    void aCommitThatCouldNotBeSyncedIsNeverClaimed() throws IOException {
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
        for (int number = 0; number < 2; number++) {
            // The second commit deletes the first one.
            writer.addDocument(Books.book(number));
            writer.commit();
        }
        writer.addDocument(Books.book(2));
        faults.failNth("fdatasync", 1, Errno.EIO);
        IOException first = assertThrows(IOException.class, writer::commit);
        // The disk works again, and the system has forgotten what it could not write.
        IOException second = assertThrows(IOException.class, writer::commit);
        assertSame(first, second.getCause());
        writer.rollback();
        try (Directory other = new MMapDirectory(path)) {
            assertEquals("documents: 2", Books.find(other).get(0));
            assertTrue(Books.isClean(other));
        }
    }

    @Test
    void aDeletedCommitIsForgottenBeforeItsFilesAreDeleted() throws IOException {
        for (String name : List.of("segments_1", "segments_2", "_1.a", "_1.b", "_2.a", "_2.b")) {
            create(name);
        }
        // An earlier process may have deleted one.
        directory.deleteFile("_1.a");
        assertEquals(1, faults.calls("fsync"));
        directory.deleteFile("_1.b");
        directory.deleteFile("segments_1");
        assertEquals(1, faults.calls("fsync"));
        directory.deleteFile("_2.a");
        assertEquals(2, faults.calls("fsync"));
        directory.deleteFile("segments_2");
        directory.syncMetaData();
        directory.deleteFile("_2.b");
        assertEquals(3, faults.calls("fsync"));
    }

    @Test
    void deletesAfterTheNamesCouldNotBeSynced() throws IOException {
        create("a");
        faults.failNth("fsync", 1, Errno.EIO);
        IOException first = assertThrows(IOException.class, () -> directory.deleteFile("a"));
        assertTrue(first.getMessage().contains("EIO"), first.getMessage());
        directory.deleteFile("a");
        assertRefused(first, () -> directory.syncMetaData());
        assertEquals(0, directory.listAll().length);
    }

    @Test
    void aDirectoryThatCouldNotBeOpenedLeavesNoLoop() {
        OutOfMemoryError shortage = new OutOfMemoryError("thrown by the test");
        assertSame(shortage, assertThrows(OutOfMemoryError.class, () -> new SluiceDirectory(path, own -> {
            throw shortage;
        }).close()));
    }

    @Test
    void anOutputThatCouldNotBeWrittenWritesNoMore() throws IOException {
        IndexOutput output = directory.createOutput("a", IOContext.DEFAULT);
        byte[] bytes = new byte[BlockPool.BLOCK];
        output.writeBytes(bytes, 10);
        faults.failNth("pwrite", 1, Errno.ENOSPC);
        IOException first = assertThrows(IOException.class, () -> output.writeBytes(bytes, bytes.length));
        assertTrue(first.getMessage().contains("ENOSPC"), first.getMessage());
        IOException second = assertThrows(IOException.class, () -> output.writeBytes(bytes, bytes.length));
        assertSame(first, second.getCause());
        // Lucene deletes what it could not write.
        output.close();
        directory.deleteFile("a");
        create("a");
    }

    @Test
    void anOutputOfWhichTheSystemWritesNothingFails() throws IOException {
        IndexOutput output = directory.createOutput("a", IOContext.DEFAULT);
        output.writeString("a");
        faults.returnNth("pwrite", 1, 0);
        IOException failure = assertThrows(IOException.class, output::close);
        assertTrue(failure.getMessage().contains("none of the last 2 bytes"), failure.getMessage());
    }

    @Test
    void writesWholeBlocksAtMultiplesOfThem() throws IOException {
        try (IndexOutput output = directory.createOutput("a", IOContext.DEFAULT)) {
            byte[] bytes = new byte[1000];
            for (int written = 0; written < 3 * BlockPool.BLOCK; written += bytes.length) {
                output.writeBytes(bytes, bytes.length);
            }
        }
        assertEquals(4, faults.calls("pwrite"));
        // A block of which only a part could be written is continued.
        faults.shortenNth("pwrite", 1, 1);
        create("b");
        assertEquals(6, faults.calls("pwrite"));
        assertEquals(2, directory.fileLength("b"));
        try (IndexInput input = directory.openInput("b", IOContext.DEFAULT)) {
            assertEquals("b", input.readString());
        }
    }
}
