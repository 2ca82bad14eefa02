package dev.sluice.samples.web.files;

import dev.sluice.handle.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * A directory at or below the root, in use. What is in it is found by its name there; a symbolic link is not followed.
 * For one thread.
 */
interface HeldDirectory extends Closeable {

    /** {@return its real path when it was found} */
    Path path();

    /** {@return a path that leads to it while it is in use, if the system has one} */
    Path pathInUse() throws IOException;

    /** {@return what it is itself} */
    FileStamp stamp() throws IOException;

    /**
     * {@return what a name stands for, the link itself if it is one; null if that is nothing}
     *
     * @param name a single one
     * @throws IOException if the system does not say so just now
     */
    FileStamp stamp(Path name) throws IOException;

    /** {@return a directory in this one, which is closed apart from it} */
    HeldDirectory directory(Path name) throws IOException;

    /**
     * Opens a file.
     *
     * @param name    a single one
     * @param options of {@link java.nio.file.StandardOpenOption}
     * @return the file, which the caller closes
     * @throws IOException if it is not there, if it is a link, or if the system refuses
     */
    FileHandle open(Path name, OpenOption... options) throws IOException;

    /** Gives a file another name, in place of what has that name, so that it has it after a loss of power, too. */
    void replace(Path name, Path newName) throws IOException;

    /** Removes a file if it is there. */
    void delete(Path name) throws IOException;

    /** Hands over the names in the directory, until one is declined. */
    void forEachName(Predicate<Path> taker) throws IOException;

    @Override
    void close();
}
