package dev.sluice.samples.web.files;

import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Follows a path from the root on, on Unix: each directory is opened within the one before, and none of these steps
 * follows a link. A link is read, and its parts are followed in the same way. One that leads outside is left to the
 * system; if it comes back, its real path is followed from the root on. So whatever is
 * replaced in between, each step of the walk is in a directory that was found below the root, and so is its end.
 */
final class Walk {

    /** As many links as Linux follows (path_resolution(7)). */
    private static final int MAX_LINKS = 40;
    private static final Path PARENT = Path.of("..");

    private final Path anchor;
    private final Path root;
    private final Deque<Path> left = new ArrayDeque<>();
    private DirectoryHandle directory;
    private Path path;
    private int links;

    private Walk(Path anchor, Path root) {
        this.anchor = anchor;
        this.root = root;
    }

    /**
     * Follows a path.
     *
     * @param anchor the real path of the root, or of a directory above it, from which on the root is opened step by
     *               step
     * @param root   the path of the root, in which no link follows after the anchor
     * @param path   below it
     * @return where it ends, which the caller closes
     * @throws IOException if there is nothing, if that is outside, or if the system refuses
     */
    static Located follow(Path anchor, Path root, Path path) throws IOException {
        Walk walk = new Walk(anchor, root);
        try {
            walk.begin(root.relativize(path));
            Located end = walk.advance();
            walk.directory = null;
            return end;
        } finally {
            walk.close();
        }
    }

    private void begin(Path names) throws IOException {
        close();
        directory = DirectoryHandle.open(anchor);
        path = anchor;
        if (!root.equals(anchor)) {
            for (Path name : anchor.relativize(root)) {
                descend(name, directory.openDirectory(name));
            }
        }
        prepend(names);
    }

    private void close() {
        if (directory != null) {
            directory.close();
        }
    }

    private void prepend(Path names) {
        for (int i = names.getNameCount() - 1; i >= 0; i--) {
            left.addFirst(names.getName(i));
        }
    }

    private Located advance() throws IOException {
        while (!left.isEmpty()) {
            Path name = left.remove();
            if (name.equals(PARENT)) {
                climb();
            } else if (!name.toString().isEmpty() && !name.toString().equals(".")) {
                if (left.isEmpty()) {
                    BasicFileAttributes status = directory.status(name);
                    if (!status.isSymbolicLink()) {
                        return new Located(held(), name, FileStamp.of(status));
                    }
                    followLink(name);
                } else {
                    enter(name);
                }
            }
        }
        return new Located(held(), null, FileStamp.of(directory.status()));
    }

    private HeldDirectory held() {
        return new UnixDirectory(anchor, path, directory);
    }

    private void enter(Path name) throws IOException {
        DirectoryHandle next;
        try {
            next = directory.openDirectory(name);
        } catch (SystemCallException e) {
            BasicFileAttributes status = directory.status(name);
            if (status.isSymbolicLink()) {
                followLink(name);
            } else if (status.isDirectory()
                    && (e.errorName().equals("ENOTDIR") || e.errorName().equals("ELOOP"))) {
                again(name);
            } else {
                throw e;
            }
            return;
        }
        descend(name, next);
    }

    private void descend(Path name, DirectoryHandle next) {
        directory.close();
        directory = next;
        path = path.resolve(name);
    }

    /** It is something else now than a moment ago. */
    private void again(Path name) throws IOException {
        countLink(name);
        left.addFirst(name);
    }

    private void countLink(Path name) throws IOException {
        links++;
        if (links > MAX_LINKS) {
            throw new FileSystemLoopException(path.resolve(name).toString());
        }
    }

    private void followLink(Path name) throws IOException {
        Path target;
        try {
            target = directory.readLink(name);
        } catch (SystemCallException e) {
            if (!e.errorName().equals("EINVAL")) {
                throw e;
            }
            again(name);
            return;
        }
        countLink(name);
        if (target.isAbsolute()) {
            leave(target);
        } else {
            prepend(target);
        }
    }

    private void climb() throws IOException {
        if (path.equals(root)) {
            countLink(PARENT);
            leave(root.resolve(PARENT));
        } else {
            begin(root.relativize(path.getParent()));
        }
    }

    /** What lies outside belongs to those who may write there. */
    private void leave(Path outside) throws IOException {
        Path whole = outside;
        while (!left.isEmpty()) {
            whole = whole.resolve(left.remove());
        }
        Path real = whole.toRealPath();
        if (!real.startsWith(root)) {
            throw new NoSuchFileException(whole.toString(), null, "leads out of " + root);
        }
        begin(root.relativize(real));
    }
}
