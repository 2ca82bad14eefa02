package dev.sluice.handle;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.InotifyConstants;
import dev.sluice.failure.StackReserve;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reports changes to files and directories, on Linux (inotify(7)): a handle that is ready for reading while there are
 * events, which an {@link InotifyBatch} receives.
 *
 * <p>A watch of a directory reports changes of the directory itself and of the files directly in it, but not of those
 * further below. A watch stays with the file or directory that the path referred to, even if that is renamed. Changes
 * by other machines on a network file system, and changes through a memory mapping of a file, are not reported.
 *
 * <p>An event reports a past change; the file may have changed again since. A program that mirrors a directory has to
 * watch it first and then list it, and to list it again after an overflow.
 *
 * <p>All methods may be called from any thread.
 */
public final class Inotify extends Facade {

    private final Linux linux;

    private Inotify(Handle handle, Linux linux) {
        super(handle);
        this.linux = linux;
    }

    /**
     * Opens a queue of events, without watches.
     *
     * @return the queue; the caller closes it, and with it its watches
     * @throws UnsupportedOperationException if the system is not Linux
     * @throws SystemCallException           if the process has no more descriptors, or the user has too many queues
     *                                       (the sysctl {@code fs.inotify.max_user_instances}); {@link Errno#EMFILE} is
     *                                       the error of both
     */
    @CheckReturnValue
    public static Inotify open() throws IOException {
        StackReserve.requireForOpening();
        Binding binding = Bindings.current();
        Linux linux = OperatingSystem.of(binding).linux("inotify", "java.nio.file.WatchService");
        int fd = linux.inotify_init1(InotifyConstants.IN_NONBLOCK | InotifyConstants.IN_CLOEXEC);
        if (Errno.EMFILE.is(fd)) {
            throw new SystemCallException("inotify_init1", "inotify", fd,
                    "or this user has reached fs.inotify.max_user_instances");
        }
        if (fd < 0) {
            throw new SystemCallException("inotify_init1", "inotify", fd);
        }
        Handle handle = Handle.owning(binding, fd, false, "inotify");
        try {
            return new Inotify(handle, linux);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /**
     * Watches a file or directory. If it is watched already, under this path or another one, the watch changes to these
     * events and keeps its number, unless {@link InotifyConstants#IN_MASK_ADD} or
     * {@link InotifyConstants#IN_MASK_CREATE} requests something else.
     *
     * @param path the path to watch; the last symbolic link is followed, unless the mask has
     *             {@link InotifyConstants#IN_DONT_FOLLOW}
     * @param mask the events to report, and how to watch: bits of {@link InotifyConstants}
     * @return the number of the watch, which its events contain and which {@link #remove} takes; it is reused only
     *         after about two billion watches have been added
     * @throws SystemCallException   if the path does not exist ({@link Errno#ENOENT}), if it may not be read
     *                               ({@link Errno#EACCES}), if the mask contains no event ({@link Errno#EINVAL}), or if
     *                               the user has too many watches ({@link Errno#ENOSPC}, the sysctl
     *                               {@code fs.inotify.max_user_watches})
     * @throws HandleClosedException if this is closed
     * @throws java.nio.file.ProviderMismatchException if the path is in another file system, such as a zip file
     */
    public int watch(Path path, int mask) throws IOException {
        try (Scratch scratch = Scratch.withPath(descriptor.binding(), path)) {
            int watch = (int) call(fd -> linux.inotify_add_watch((int) fd, scratch.address(Scratch.COPY), mask));
            if (Errno.ENOSPC.is(watch)) {
                throw new SystemCallException("inotify_add_watch", path.toString(), watch,
                        "increase fs.inotify.max_user_watches to allow more watches for this user");
            }
            if (watch < 0) {
                throw new SystemCallException("inotify_add_watch", path.toString(), watch);
            }
            return watch;
        }
    }

    /**
     * Ends a watch. Events that it has already reported can still be received; its last one is
     * {@link InotifyConstants#IN_IGNORED}. That event also occurs when the system ends the watch, because the watched
     * file or directory has been deleted.
     *
     * @param watch its number
     * @return true if the watch existed; false if it has already ended
     * @throws HandleClosedException if this is closed
     */
    public boolean remove(int watch) throws IOException {
        long result = call(fd -> linux.inotify_rm_watch((int) fd, watch));
        return !Errno.EINVAL.is(result) && check("inotify_rm_watch", result) == 0;
    }
}
