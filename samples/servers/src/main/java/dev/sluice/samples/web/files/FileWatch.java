package dev.sluice.samples.web.files;

import dev.sluice.calls.layout.InotifyConstants;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Inotify;
import dev.sluice.handle.InotifyBatch;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.reactor.Registration;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects changes below a root immediately, where the system reports them (inotify). A thread of its own waits for
 * them, in a Reactor; none of the threads that serve is delayed.
 *
 * <p>It detects changes made on this machine under the names below the root; not those made by another machine on a
 * network file system, under another hard link, or through a mapping (inotify(7)). So files must be checked
 * periodically as well, but at long intervals.
 */
final class FileWatch implements EventHandler, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    private static final int BUFFER_SIZE = 64 * 1024;
    private static final int ITSELF = InotifyConstants.IN_DELETE_SELF | InotifyConstants.IN_MOVE_SELF
            | InotifyConstants.IN_UNMOUNT | InotifyConstants.IN_IGNORED;
    /** A directory, or perhaps a link to one. */
    private static final int LEADS_ELSEWHERE = InotifyConstants.IN_ISDIR | InotifyConstants.IN_CREATE
            | InotifyConstants.IN_DELETE | InotifyConstants.IN_MOVED_FROM | InotifyConstants.IN_MOVED_TO;
    private static final byte[] NO_NAME = {};
    private static final String OTHERS = " changes of files are detected when they are checked";
    private static final String OTHERWISE = ";" + OTHERS;

    private final Inotify inotify;
    private final InotifyBatch events;
    private final ChangeListener listener;
    private final WatchedDirectories directories;
    private final ReactorGroup loop;
    private final AtomicLong changes = new AtomicLong();
    private final AtomicBoolean refused = new AtomicBoolean();

    private FileWatch(DocumentRoot root, int maximum, ChangeListener listener) throws IOException {
        this.listener = listener;
        this.inotify = Inotify.open();
        ReactorGroup opened = null;
        boolean begun = false;
        InotifyBatch batch = null;
        try {
            batch = new InotifyBatch(inotify, BUFFER_SIZE);
            events = batch;
            directories = new WatchedDirectories(inotify, root, maximum, listener::wanted);
            opened = ReactorGroup.builder().loops(1).threadFactory(task -> new Thread(task, "file-watch")).open();
            loop = opened;
            loop.loops().get(0).register(inotify.handle(), Interest.READ, this);
            loop.onFailure(cause -> LOG.error("watching files has failed" + OTHERWISE));
            loop.start();
            begun = true;
        } finally {
            if (!begun) {
                if (opened != null) {
                    opened.close();
                }
                if (batch != null) {
                    batch.close();
                }
                inotify.close();
            }
        }
    }

    /**
     * Begins to watch, if the system can do that.
     *
     * @param root     below which to detect changes
     * @param maximum  how many directories to watch at most; the listener is not notified of changes in others
     * @param listener to be notified
     * @return the watch; null if there cannot be one, which the log says: quietly where the system has nothing of the
     *         kind
     */
    static FileWatch begin(DocumentRoot root, int maximum, ChangeListener listener) {
        try {
            return new FileWatch(root, maximum, listener);
        } catch (UnsupportedOperationException e) {
            // As expected of every system but one.
            LOG.debug("{}" + OTHERWISE, e.getMessage());
            return null;
        } catch (IOException e) {
            LOG.warn("{}" + OTHERWISE, e.getMessage());
            return null;
        }
    }

    /**
     * Watches the directories that lead to a path. To be called before the file of that path is looked at: every change
     * from then on is reported, as far as there are watches. Any thread may call this.
     *
     * @param path of a file or a directory, in a URL
     */
    void watch(String path) {
        try {
            directories.watchOnTheWayTo(path);
        } catch (HandleClosedException e) {
            LOG.debug("watch of {} after the end: {}", path, e.getMessage());
        } catch (IOException e) {
            if (!refused.getAndSet(true)) {
                LOG.warn("{}; {} directories are watched, and in others" + OTHERS, e.getMessage(), directories.size());
            }
        }
    }

    /** {@return a number that grows with every change, before the listener is notified} */
    long changes() {
        return changes.get();
    }

    /** {@return the number of directories watched} */
    int size() {
        return directories.size();
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        // One batch for each time: a directory that changes without a pause does not keep the thread from its end.
        events.receive();
        for (int i = 0; i < events.count(); i++) {
            changes.incrementAndGet();
            notifyListener(i);
        }
    }

    private void notifyListener(int event) throws IOException {
        String directory = directories.directory(events.watch(event));
        if (events.isOverflow(event)) {
            // Some directory may have been renamed, too.
            directories.forget("/");
            listener.anythingChanged();
        } else if (directory == null) {
            LOG.trace("an event of a directory that has been given up");
        } else if (!events.isNamed(event, NO_NAME)) {
            notifyListener(directory, events.name(event), events.mask(event));
        } else if ((events.mask(event) & ITSELF) != 0) {
            gone(directory, events.mask(event));
        }
    }

    private void notifyListener(String directory, String name, int mask) throws IOException {
        if ((mask & InotifyConstants.IN_ISDIR) != 0) {
            directories.forget(directory + name + '/');
        }
        listener.changed(directory, name, (mask & LEADS_ELSEWHERE) != 0);
    }

    /** The directory itself is gone. The one above it tells that, too, unless there is none or it was unmounted. */
    private void gone(String directory, int mask) throws IOException {
        directories.forget(directory);
        if (directories.isRoot(directory) || (mask & InotifyConstants.IN_UNMOUNT) != 0) {
            listener.anythingChanged();
        }
    }

    @Override
    public void handleClose(Registration registration) {
        // In the loop's thread, which has no use for them any more.
        inotify.close();
        events.close();
        listener.anythingChanged();
    }

    /** Ends the thread, and waits for that. */
    @Override
    public void close() {
        loop.close();
    }
}
