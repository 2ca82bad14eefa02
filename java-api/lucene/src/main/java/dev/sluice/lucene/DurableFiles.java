package dev.sluice.lucene;

import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
import dev.sluice.files.LoopFile;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes files and names durable, up to {@value #MAX_OPEN} files of a commit at once, until that fails for the first
 * time. The system may then have dropped what it could not write, and count it as written: another sync would succeed
 * without these bytes. May be used by any thread.
 */
final class DurableFiles {

    private static final Logger LOG = LoggerFactory.getLogger(DurableFiles.class);
    private static final Path ITSELF = Path.of(".");
    /** Lucene syncs all files of a commit, which may be more than the process may open. */
    static final int MAX_OPEN = 128;

    private final FileLoop loop;
    private volatile @Nullable IOException failure;

    DurableFiles(FileLoop loop) {
        this.loop = loop;
    }

    /**
     * Waits until the content of files is on the disk.
     *
     * @param paths the files
     * @throws IOException if a file cannot be opened, a sync fails, or one has failed before
     */
    void force(List<Path> paths) throws IOException {
        requireNoFailure();
        for (int from = 0; from < paths.size(); from += MAX_OPEN) {
            forcePart(paths.subList(from, Math.min(paths.size(), from + MAX_OPEN)));
        }
    }

    private void forcePart(List<Path> paths) throws IOException {
        List<FileHandle> files = new ArrayList<>();
        try {
            for (Path path : paths) {
                // Windows flushes what has been opened for writing only.
                files.add(IndexFiles.open(path, StandardOpenOption.WRITE));
            }
            force(files, false);
        } finally {
            files.forEach(FileHandle::close);
        }
    }

    /**
     * Waits until the names in a directory are on the disk. Does nothing if its file system cannot force that.
     *
     * @param path the directory
     * @throws IOException as {@link #force}
     */
    void forceNames(Path path) throws IOException {
        requireNoFailure();
        try (DirectoryHandle directory = DirectoryHandle.open(path);
                FileHandle itself = directory.openFile(ITSELF, StandardOpenOption.READ)) {
            force(List.of(itself), true);
        }
    }

    private void force(List<FileHandle> files, boolean isDirectory) throws IOException {
        if (files.isEmpty()) {
            return;
        }
        FileBatch batch = new FileBatch(loop, files.size());
        for (FileHandle file : files) {
            LoopFile operations = loop.add(file, 1);
            if (isDirectory) {
                batch.force(operations);
            } else {
                batch.forceData(operations);
            }
        }
        try {
            batch.await();
        } catch (IOException e) {
            if (!isDirectory || !isInvalid(e)) {
                failed(e);
                throw e;
            }
            LOG.debug("the names in {} are as durable as its file system makes them", files, e);
        } catch (Error e) {
            // Whether the disk has failed remains unknown.
            failed(new IOException("sync: " + e, e));
            throw e;
        }
        // Another thread's sync may have failed meanwhile, for the same disk.
        requireNoFailure();
    }

    /** {@return whether a file system has no force of directories, as some shared folders of virtual machines} */
    private static boolean isInvalid(IOException refusal) {
        return refusal instanceof SystemCallException call && call.errorName().equals("EINVAL");
    }

    /** {@return whether all further syncs are refused} */
    boolean hasFailed() {
        return failure != null;
    }

    private synchronized void failed(IOException first) {
        if (failure == null) {
            failure = first;
        }
    }

    private void requireNoFailure() throws IOException {
        IOException first = failure;
        if (first != null) {
            throw new IOException("sync: refused, because an earlier sync has failed, and the system may have dropped "
                    + "what it could not write; close the index, and open its last commit", first);
        }
    }
}
