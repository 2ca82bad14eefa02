package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Names in open directories, which a proactor changes. */
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class ProactorNamesTest extends ProactorContract {

    private static final Path ONE = Path.of("one");
    private static final Path TWO = Path.of("two");
    private static final Path BELOW = Path.of("below");

    @TempDir
    Path path;

    private DirectoryHandle directory;

    @BeforeEach
    void openDirectory() throws IOException {
        directory = own(DirectoryHandle.open(path));
        Files.writeString(path.resolve(ONE), "1");
    }

    private void assertSucceeds(OperationType type, String token) throws IOException {
        CompletionRecorder.Result result = result(token);
        assertTrue(result.isSuccess(), () -> result.error().getMessage());
        assertEquals(type, result.type());
        assertNull(result.handle());
    }

    @Test
    void eachOperationHasACompletion() throws Exception {
        List<PosixFileAttributes> read = new ArrayList<>();
        recorder.on(OperationType.STATUS, completion -> read.add(completion.status()));
        proactor.rename(recorder, "rename", directory, ONE, TWO);
        assertSucceeds(OperationType.RENAME, "rename");
        proactor.createDirectory(recorder, "create", directory, BELOW);
        assertSucceeds(OperationType.CREATE_DIRECTORY, "create");
        try (DirectoryHandle below = DirectoryHandle.open(path.resolve(BELOW))) {
            proactor.rename(recorder, "move", directory, TWO, below, ONE);
            assertSucceeds(OperationType.RENAME, "move");
            proactor.link(recorder, "link", below, ONE, TWO);
            assertSucceeds(OperationType.LINK, "link");
            proactor.exchange(recorder, "exchange", below, ONE, TWO);
            assertSucceeds(OperationType.EXCHANGE, "exchange");
            proactor.status(recorder, "status", below, TWO);
            assertSucceeds(OperationType.STATUS, "status");
            assertEquals(1, read.get(0).size());
            proactor.renameUnlessExists(recorder, "kept", below, ONE, TWO);
            assertTrue(result("kept").isFailure());
            proactor.delete(recorder, "delete", below, ONE);
            assertSucceeds(OperationType.DELETE, "delete");
            proactor.openFile(recorder, "open", below, TWO, Set.of(StandardOpenOption.READ));
            assertSucceeds(OperationType.OPEN, "open");
            try (FileHandle file = recorder.last("open").file()) {
                assertEquals(1, file.size());
            }
            proactor.delete(recorder, "delete the other", below, TWO);
            assertSucceeds(OperationType.DELETE, "delete the other");
        }
        proactor.deleteDirectory(recorder, "delete the directory", directory, BELOW);
        assertSucceeds(OperationType.DELETE_DIRECTORY, "delete the directory");
        proactor.forceDirectory(recorder, "force", directory);
        assertSucceeds(OperationType.FORCE_DIRECTORY, "force");
        try (var names = Files.list(path)) {
            assertEquals(0, names.count());
        }
    }

    @Test
    void eachOperationHasAFuture() throws Exception {
        result(proactor.renameFuture(directory, ONE, TWO));
        result(proactor.createDirectoryFuture(directory, BELOW,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        assertTrue(result(proactor.statusFuture(directory, BELOW)).isDirectory());
        try (DirectoryHandle below = DirectoryHandle.open(path.resolve(BELOW))) {
            result(proactor.renameFuture(directory, TWO, below, ONE));
            result(proactor.linkFuture(below, ONE, TWO));
            result(proactor.exchangeFuture(below, ONE, TWO));
            CompletableFuture<Void> kept = proactor.renameUnlessExistsFuture(below, ONE, TWO);
            CompletionException e = assertThrows(CompletionException.class, () -> result(kept));
            assertTrue(e.getCause().getMessage().startsWith("renameat2 " + path.resolve(BELOW).resolve(ONE)
                    + ": EEXIST"), e.getCause().getMessage());
            result(proactor.deleteFuture(below, ONE));
            try (FileHandle file = result(proactor.openFileFuture(below, TWO, Set.of(StandardOpenOption.WRITE)))) {
                assertEquals(1, file.size());
            }
            result(proactor.deleteFuture(below, TWO));
        }
        result(proactor.deleteDirectoryFuture(directory, BELOW));
        result(proactor.forceDirectoryFuture(directory));
        assertFalse(Files.exists(path.resolve(BELOW)));
    }

    @Test
    void wrongArgumentsAreRefusedAtOnce() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> proactor.delete(recorder, null, directory, Path.of("..")));
        assertThrows(NullPointerException.class, () -> proactor.rename(recorder, null, directory, ONE, null, TWO));
        assertThrows(NullPointerException.class, () -> proactor.delete(null, null, directory, ONE));
        runUntilIdle();
        assertEquals(List.of(), recorder.results());
    }

    @Test
    void aCancelledOneCompletes() throws Exception {
        proactor.cancel(proactor.delete(recorder, "delete", directory, ONE));
        CompletionRecorder.Result result = result("delete");
        assertTrue(result.isCancelled() || result.isSuccess());
        assertEquals(result.isCancelled(), Files.exists(path.resolve(ONE)));
        CompletableFuture<Void> future = proactor.forceDirectoryFuture(directory);
        future.cancel(false);
        runUntil(future::isDone);
    }
}
