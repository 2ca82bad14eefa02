package dev.sluice.stage.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.ProactorContract;
import dev.sluice.stage.EventQueue;
import dev.sluice.stage.Outcome;
import dev.sluice.stage.Stage;
import dev.sluice.stage.StageGraph;
import dev.sluice.stage.StageOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as a stage: by blocking calls, and by each asynchronous demultiplexer. */
class FileStageTest extends ProactorContract {

    private static final int FILES = 8;

    @TempDir
    Path directory;

    private StageGraph graph;
    private FileStage files;
    private final List<FileCompletion> completions = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private Stage<FileCompletion> application;

    private void run(boolean blocking, int capacity) {
        runInBackground();
        graph = own(new StageGraph("graph of a test"));
        files = blocking ? FileStage.blocking(graph, "files", FILES) : FileStage.on(graph, "files", FILES, proactor);
        application = graph.add("application", FileCompletion.class, batch -> {
            for (FileCompletion next = batch.next(); next != null; next = batch.next()) {
                OtherThread.await(gate);
                completions.add(next);
            }
        }, new StageOptions<FileCompletion>().capacity(capacity));
        graph.start();
    }

    private EventQueue<FileCompletion> queue() {
        return application.queue();
    }

    private List<FileCompletion> await(int count) {
        OtherThread.await(() -> completions.size() >= count);
        return completions;
    }

    private Path file(byte[] content) throws IOException {
        return Files.write(directory.resolve("file"), content);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void servesTheRequestsOfAFileInOrder(boolean blocking) throws Exception {
        run(blocking, 100);
        byte[] content = bytes(1000);
        StagedFile file = new StagedFile(files, file(content), queue(), StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        ByteBuffer first = ByteBuffer.allocate(600);
        ByteBuffer second = ByteBuffer.allocate(600);
        ByteBuffer third = ByteBuffer.allocate(600);
        assertEquals(Outcome.ACCEPTED, file.stat("stat"));
        file.read(first, "first");
        file.read(second, "second");
        file.read(third, "third");
        file.seek(990, "seek");
        file.write(ByteBuffer.wrap(bytes(20)), "write");
        file.stat("stat again");
        assertEquals(Outcome.ACCEPTED, file.close("close"));
        assertEquals(Outcome.CLOSED, file.close("again"));
        assertEquals(Outcome.CLOSED, file.read(first, "late"));
        await(9);
        assertEquals(List.of("[0, 1000, 600, 400, -1, 990, 20, 1010, 0]"),
                List.of(completions.stream().map(FileCompletion::result).toList().toString()));
        assertEquals("[null, stat, first, second, third, seek, write, stat again, close]",
                completions.stream().map(FileCompletion::token).toList().toString());
        assertTrue(completions.stream().allMatch(completion -> completion.cause() == null));
        assertEquals(FileOperation.OPEN, completions.get(0).operation());
        assertEquals(ByteBuffer.wrap(content, 0, 600), first.flip());
        assertEquals(ByteBuffer.wrap(content, 600, 400), second.flip());
        assertEquals(ByteBuffer.wrap(bytes(20)), ByteBuffer.wrap(Files.readAllBytes(file.path()), 990, 20));
        assertEquals(0, files.files());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tellsWhyItFails(boolean blocking) throws Exception {
        run(blocking, 100);
        StagedFile missing = new StagedFile(files, directory.resolve("missing"), queue());
        missing.read(ByteBuffer.allocate(1), "read");
        await(1);
        assertTrue(completions.get(0).cause().getMessage().contains("ENOENT"), completions.get(0).toString());
        OtherThread.await(() -> missing.stat("stat") == Outcome.CLOSED);
        OtherThread.await(() -> files.files() == 0);
        StagedFile readable = new StagedFile(files, file(bytes(3)), queue());
        readable.write(ByteBuffer.wrap(bytes(3)), "write");
        OtherThread.await(() -> completions.stream().anyMatch(completion -> "write".equals(completion.token())));
        FileCompletion write = completions.get(completions.size() - 1);
        assertNotNull(write.cause());
        assertEquals(0, write.result());
        assertThrows(IllegalArgumentException.class, () -> readable.seek(-1, null));
        assertThrows(NullPointerException.class, () -> readable.read(null, null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hasBounds(boolean blocking) throws Exception {
        gate = new CountDownLatch(1);
        run(blocking, 1);
        List<StagedFile> all = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            all.add(new StagedFile(files, file(bytes(3)), queue()));
        }
        IOException refused = assertThrows(IOException.class, () -> new StagedFile(files, all.get(0).path(), queue()));
        assertTrue(refused.getMessage().endsWith("8 files are open in files, the most there may be"),
                refused::getMessage);
        // The application takes nothing, so that at most three completions are on their way out.
        int accepted = 0;
        while (all.get(0).stat(accepted) == Outcome.ACCEPTED) {
            accepted++;
        }
        assertTrue(accepted >= StagedFile.MOST_REQUESTS - 1 && accepted <= StagedFile.MOST_REQUESTS + 2, "" + accepted);
        all.forEach(file -> file.close(null));
        gate.countDown();
        int expected = 2 * FILES + accepted;
        await(expected);
        OtherThread.await(() -> files.files() == 0);
        assertEquals(expected, completions.size());
        assertTrue(completions.stream().allMatch(completion -> completion.cause() == null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theStopPerformsWhatWasAccepted(boolean blocking) throws Exception {
        run(blocking, 100);
        StagedFile file = new StagedFile(files, directory.resolve("new"), queue(), StandardOpenOption.WRITE,
                StandardOpenOption.CREATE);
        for (int i = 0; i < 50; i++) {
            assertEquals(Outcome.ACCEPTED, file.write(ByteBuffer.wrap(bytes(1000)), i));
        }
        assertTrue(graph.stop(LIMIT).isDrained());
        assertEquals(50_000, Files.size(file.path()));
        assertEquals(0, files.files());
        assertEquals(Outcome.CLOSED, file.stat("late"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void filesDoNotHoldUpEachOther(boolean blocking) throws Exception {
        gate = new CountDownLatch(1);
        run(blocking, 1);
        StagedFile stuck = new StagedFile(files, file(bytes(3)), queue());
        for (int i = 0; i < 10; i++) {
            stuck.stat(i);
        }
        List<FileCompletion> others = new CopyOnWriteArrayList<>();
        StageGraph second = own(new StageGraph("second graph"));
        Stage<FileCompletion> direct = second.add("direct", FileCompletion.class, batch -> {
            for (FileCompletion next = batch.next(); next != null; next = batch.next()) {
                others.add(next);
            }
        }, new StageOptions<FileCompletion>().direct());
        second.start();
        StagedFile free = new StagedFile(files, stuck.path(), direct.queue());
        free.stat("stat");
        free.close("close");
        OtherThread.await(() -> others.size() == 3);
        assertEquals(3, others.get(1).result());
        assertNull(others.get(1).cause());
        assertEquals(List.of(), completions);
        gate.countDown();
        await(11);
    }

    @Test
    void readsAFileThatIsOpenAlready() throws Exception {
        run(true, 100);
        byte[] content = bytes(1000);
        try (FileHandle opened = FileHandle.open(file(content))) {
            for (int i = 1; i <= 2; i++) {
                StagedFile file = new StagedFile(files, directory.resolve("file"), opened, queue());
                ByteBuffer rest = ByteBuffer.allocate(1000);
                file.seek(400, "seek");
                file.read(rest, "read");
                file.close("close");
                await(3 * i);
                assertEquals(ByteBuffer.wrap(content, 400, 600), rest.flip());
                assertTrue(completions.stream().allMatch(completion -> completion.cause() == null));
                assertTrue(opened.handle().isOpen());
                OtherThread.await(() -> files.files() == 0);
            }
        }
    }

    @Test
    void takesNoOpenFileOnAProactor() throws Exception {
        run(false, 100);
        try (FileHandle opened = FileHandle.open(file(bytes(1)))) {
            assertThrows(IllegalArgumentException.class,
                    () -> new StagedFile(files, directory.resolve("file"), opened, queue()));
        }
        assertEquals(0, files.files());
    }
}
