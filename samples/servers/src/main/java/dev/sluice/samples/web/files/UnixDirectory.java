package dev.sluice.samples.web.files;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;

/** A directory that is held by its descriptor: a name begins there, wherever the directory may be by now. */
final class UnixDirectory implements HeldDirectory {

    private static final boolean LINUX = Bindings.current().os() == Platform.Os.LINUX;
    private static final Path ITSELF = Path.of(".");

    private final Path anchor;
    private final Path path;
    private final DirectoryHandle handle;

    /**
     * Takes a directory over.
     *
     * @param anchor the root, or a directory above it, from which on no link leads to this one
     * @param path   the directory's real path
     * @param handle the directory, which {@link #close} closes
     */
    UnixDirectory(Path anchor, Path path, DirectoryHandle handle) {
        this.anchor = anchor;
        this.path = path;
        this.handle = handle;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public Path pathInUse() throws IOException {
        if (!LINUX) {
            return path;
        }
        // Followed, it leads to the open directory and not to its name (proc(5)).
        return handle.handle().withDescriptor(descriptor -> Path.of("/proc/self/fd", String.valueOf(descriptor)));
    }

    @Override
    public FileStamp stamp() throws IOException {
        return FileStamp.of(handle.status());
    }

    @Override
    public FileStamp stamp(Path name) throws IOException {
        try {
            return FileStamp.of(handle.status(name));
        } catch (SystemCallException e) {
            if (Absence.isMeant(e)) {
                return null;
            }
            throw e;
        }
    }

    @Override
    public HeldDirectory directory(Path name) throws IOException {
        return new UnixDirectory(anchor, path.resolve(name), handle.openDirectory(name));
    }

    @Override
    public FileHandle open(Path name, OpenOption... options) throws IOException {
        return handle.openFile(name, options);
    }

    @Override
    public void replace(Path name, Path newName) throws IOException {
        // Opened first: were the process out of descriptors afterwards, a failure would be reported although the file
        // has been replaced.
        try (FileHandle itself = handle.openFile(ITSELF)) {
            handle.rename(name, newName);
            // Else the name could be lost with the power (fsync(2), notes).
            itself.force();
        }
    }

    @Override
    public void delete(Path name) throws IOException {
        try {
            handle.delete(name);
        } catch (SystemCallException e) {
            if (!e.errorName().equals("ENOENT")) {
                throw e;
            }
        }
    }

    @Override
    public void forEachName(Predicate<Path> taker) throws IOException {
        if (LINUX) {
            try (DirectoryStream<Path> names = Files.newDirectoryStream(pathInUse())) {
                handOver(names, taker);
            }
        } else {
            walkAndHandOver(taker);
        }
    }

    /** Java has no way to read an open directory but the one that it has opened itself, from the anchor on. */
    private void walkAndHandOver(Predicate<Path> taker) throws IOException {
        Deque<DirectoryStream<Path>> opened = new ArrayDeque<>();
        try {
            opened.push(Files.newDirectoryStream(anchor));
            for (Path name : anchor.relativize(path)) {
                if (!name.toString().isEmpty()) {
                    opened.push(below(opened.peek(), name));
                }
            }
            handOver(opened.peek(), taker);
        } finally {
            for (DirectoryStream<Path> each : opened) {
                each.close();
            }
        }
    }

    private static DirectoryStream<Path> below(DirectoryStream<Path> directory, Path name) throws IOException {
        if (directory instanceof SecureDirectoryStream<Path> secure) {
            return secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        }
        throw new IOException("a directory cannot be opened within another one: " + name);
    }

    private static void handOver(DirectoryStream<Path> names, Predicate<Path> taker) {
        Iterator<Path> each = names.iterator();
        while (each.hasNext() && taker.test(each.next().getFileName())) {
            continue;
        }
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
