package dev.sluice.samples.web.files;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * A directory that is known by its real path, on Windows. Of each file that is opened in it, the system is asked which
 * one it is; and as long as a file is open, no directory above it can be replaced.
 */
final class WindowsDirectory implements HeldDirectory {

    private final Path root;
    private final FinalPath finalRoot;
    private final Path path;

    private WindowsDirectory(Path root, FinalPath finalRoot, Path path) {
        this.root = root;
        this.finalRoot = finalRoot;
        this.path = path;
    }

    /** Follows a path as {@link Walk} does. */
    static Located follow(Path root, FinalPath finalRoot, Path path) throws IOException {
        Path real = path.toRealPath();
        if (!real.startsWith(root)) {
            throw new NoSuchFileException(path.toString(), null, "leads out of " + root);
        }
        boolean isRoot = real.equals(root);
        WindowsDirectory directory = new WindowsDirectory(root, finalRoot, isRoot ? root : real.getParent());
        FileStamp stamp = FileStamp.of(real);
        if (stamp == null) {
            throw new NoSuchFileException(path.toString());
        }
        return new Located(directory, isRoot ? null : real.getFileName(), stamp);
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public Path pathInUse() {
        return path;
    }

    @Override
    public FileStamp stamp() {
        return FileStamp.of(path);
    }

    @Override
    public FileStamp stamp(Path name) {
        return FileStamp.of(path.resolve(name));
    }

    @Override
    public HeldDirectory directory(Path name) {
        return new WindowsDirectory(root, finalRoot, path.resolve(name));
    }

    @Override
    public FileHandle open(Path name, OpenOption... options) throws IOException {
        Path wanted = path.resolve(name);
        FileHandle file = FileHandle.open(wanted, options);
        try {
            FinalPath opened = FinalPath.of(file);
            if (opened.isBelow(finalRoot, root.relativize(wanted))) {
                return file;
            }
            if (List.of(options).contains(StandardOpenOption.CREATE_NEW)) {
                Files.deleteIfExists(opened.path());
            }
            throw new NoSuchFileException(wanted.toString(), null, "has led to " + opened.path());
        } catch (Throwable e) {
            file.close();
            throw e;
        }
    }

    @Override
    public void replace(Path name, Path newName) throws IOException {
        Files.move(path.resolve(name), path.resolve(newName), StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path name) throws IOException {
        Files.deleteIfExists(path.resolve(name));
    }

    @Override
    public void forEachName(Predicate<Path> taker) throws IOException {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(path)) {
            Iterator<Path> each = names.iterator();
            while (each.hasNext() && taker.test(each.next().getFileName())) {
                continue;
            }
        }
    }

    @Override
    public void close() {
        // Nothing is open.
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
