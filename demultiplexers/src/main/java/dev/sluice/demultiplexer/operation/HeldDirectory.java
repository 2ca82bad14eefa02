package dev.sluice.demultiplexer.operation;

import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.system.UnixSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A directory in which an operation looks up a name. It is held open while the operation is executed. */
final class HeldDirectory {

    private @Nullable DirectoryHandle directory;
    private long number;
    private boolean isHeld;

    // Called by the starting thread

    /** Sets the directory; null for none. */
    void set(@Nullable DirectoryHandle newDirectory) {
        directory = newDirectory;
    }

    /** Requires that there is a directory. */
    void require() {
        Objects.requireNonNull(directory, "directory");
    }

    /**
     * {@return the path of a name in the directory, for messages} If the text of the directory's path cannot be
     * converted back, because the encoding lacks its characters, it is the name alone.
     */
    Path resolve(Path name) {
        try {
            return Path.of(descriptor().subject()).resolve(name);
        } catch (InvalidPathException e) {
            return name;
        }
    }

    // Called by any thread of the operation

    /** {@return whether there is a directory} */
    boolean isThere() {
        return directory != null;
    }

    /** {@return the descriptor of the directory, which may be closed} */
    Descriptor descriptor() {
        assert directory != null;
        return Descriptors.of(directory.handle());
    }

    /** {@return the system that the directory belongs to} */
    UnixSystem system() {
        return descriptor().system().unix();
    }

    /** {@return the number of the descriptor, which is held open} */
    long number() {
        assert isHeld;
        return number;
    }

    // Called inside

    /** {@return whether the directory is held open from now on; false if it is closed} */
    boolean acquire() {
        try {
            number = descriptor().acquire();
            isHeld = true;
            return true;
        } catch (HandleClosedException e) {
            return false;
        }
    }

    /** Ends the use of the directory, if it is held open. */
    void release() {
        if (isHeld) {
            isHeld = false;
            descriptor().release();
        }
    }
}
