package dev.sluice.calls;

/**
 * The calls that macOS and the BSDs have and other Unix systems do not, under their C names; conventions as in
 * {@link Posix}. A function that the system's library does not export returns {@code -ENOSYS}.
 *
 * <p>{@code kqueue} and {@code kevent} may come from another library: see {@link KqueueLibrary}.
 */
public interface Bsd {

    int kqueue();

    int kevent(int kq, long changes, int changeCount, long events, int eventCount, long timeout);

    // On macOS for x86-64, the variants with inodes of 64 bits, whose names end with $INODE64

    int fstat(int fd, long status);

    int fstatat(int directory, long path, long status, int flags);

    /**
     * {@code fcntl} with a pointer.
     *
     * @param fd       the file
     * @param command  the command
     * @param argument address of what the command takes
     * @return what the command returns, or a negated error number
     */
    int fcntl_pointer(int fd, int command, long argument);

    // Only on macOS

    int renameatx_np(int oldDirectory, long oldPath, int newDirectory, long newPath, int flags);

    // Only on FreeBSD

    /** {@return 0, or the negated error number, which this function returns directly instead of setting it} */
    int posix_fallocate(int fd, long offset, long length);

    /** {@return 0, or the negated error number, which this function returns directly instead of setting it} */
    int posix_fadvise(int fd, long offset, long length, int advice);

    /** Since FreeBSD 13. */
    long copy_file_range(int in, long inOffset, int out, long outOffset, long length, int flags);

    /**
     * Manages the space of a file, since FreeBSD 14.
     *
     * @param fd      the file
     * @param command the command
     * @param range   address of a {@link dev.sluice.calls.layout.SpacectlRange}
     * @param flags   0
     * @param rest    address of another one, which receives the range that has not been processed; 0 for none
     * @return 0, or a negated error number
     */
    int fspacectl(int fd, int command, long range, int flags, long rest);

    // Not on macOS

    int accept4(int fd, long address, long addressLength, int flags);

    int pipe2(long descriptors, int flags);

    // Not on OpenBSD; the prototypes of the other two systems differ

    /**
     * {@code sendfile} of macOS.
     *
     * @param file   the file to send from
     * @param socket the socket to send to
     * @param offset the position of the first byte in the file
     * @param length address of a 64-bit number: on entry, the number of bytes to send, 0 for all; on return, the number
     *               of bytes sent, even if the result is an error
     * @param header what to send around the file, 0 for nothing @param flags 0 @return 0, or a negated error number
     */
    int sendfile(int file, int socket, long offset, long length, long header, int flags);

    /**
     * {@code sendfile} of FreeBSD.
     *
     * @param file   the file to send from
     * @param socket the socket to send to
     * @param offset the position of the first byte in the file
     * @param count  the number of bytes to send, 0 for all
     * @param header what to send around the file, 0 for nothing
     * @param sent   address of a 64-bit number that receives the number of bytes sent, even if the result is an error
     * @param flags  0
     * @return 0, or a negated error number
     */
    int sendfile(int file, int socket, long offset, long count, long header, long sent, int flags);
}
