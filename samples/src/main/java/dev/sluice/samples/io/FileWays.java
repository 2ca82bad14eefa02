package dev.sluice.samples.io;

/**
 * How files travel to the socket, according to their size.
 *
 * @param small those that are best sent together with their head
 * @param large all others
 */
public record FileWays(FileIo small, FileIo large) {

    /** {@return the same for all, except that small ones are read where others are transmitted} */
    public static FileWays of(FileIo way) {
        return new FileWays(way == FileIo.TRANSMIT ? FileIo.READ : way, way);
    }
}
