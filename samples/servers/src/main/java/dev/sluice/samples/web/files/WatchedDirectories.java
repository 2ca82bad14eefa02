package dev.sluice.samples.web.files;

import dev.sluice.calls.layout.InotifyConstants;
import dev.sluice.handle.Inotify;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The directories that are watched, by their path in a URL, which has a slash at its end. All directories that lead to
 * a watched one are watched, too: otherwise the renaming of one of them would go undetected. A symbolic link is not
 * followed, since what it leads to can change anywhere. Any thread may use it.
 */
final class WatchedDirectories {

    private static final int MASK = InotifyConstants.IN_MODIFY | InotifyConstants.IN_ATTRIB
            | InotifyConstants.IN_CREATE | InotifyConstants.IN_DELETE | InotifyConstants.IN_MOVED_FROM
            | InotifyConstants.IN_MOVED_TO | InotifyConstants.IN_DELETE_SELF | InotifyConstants.IN_MOVE_SELF
            | InotifyConstants.IN_ONLYDIR;

    private final Inotify inotify;
    private final DocumentRoot root;
    private final Supplier<Set<String>> wanted;

    /** Changed under the lock, and read without it. */
    private final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<>();

    // Guarded by this object.
    private final Map<Integer, String> byNumber = new HashMap<>();
    private int maximum;
    /** The number of refusals until the next search for directories that are not needed any more. */
    private int timeout;

    /**
     * Watches nothing yet.
     *
     * @param maximum how many to watch at most
     * @param wanted  which ones are needed
     */
    WatchedDirectories(Inotify inotify, DocumentRoot root, int maximum, Supplier<Set<String>> wanted) {
        this.inotify = inotify;
        this.root = root;
        this.maximum = maximum;
        this.wanted = wanted;
    }

    /**
     * Watches the directories that lead to a path, as far as they are there, from the root on.
     *
     * @param path of a file or a directory in a URL
     * @throws IOException if the system has no watch left, and says so for the first time since it had; those that
     *                     there are stay
     */
    void watchOnTheWayTo(String path) throws IOException {
        int end = path.lastIndexOf('/') + 1;
        if (!numbers.containsKey(path.substring(0, end))) {
            synchronized (this) {
                int slash = 1;
                while (slash > 0 && slash <= end && isWatched(path.substring(0, slash))) {
                    slash = path.indexOf('/', slash) + 1;
                }
            }
        }
    }

    private boolean isWatched(String directory) throws IOException {
        if (numbers.containsKey(directory)) {
            return true;
        }
        if (byNumber.size() >= maximum && !makeSpace(directory)) {
            return false;
        }
        int number;
        try (HeldDirectory held = root.directory(directory)) {
            if (held == null || !held.path().equals(root.below(directory))) {
                // It is not there, or a link leads there; so no file of the cache lies in it.
                return false;
            }
            number = inotify.watch(held.pathInUse(), MASK);
        } catch (SystemCallException e) {
            if (e.errorName().equals("ENOSPC")) {
                maximum = byNumber.size();
                throw e;
            }
            // It is not permitted.
            return false;
        }
        // The system has one watch for each directory. This one may have been renamed, and the event not read yet.
        String before = byNumber.put(number, directory);
        if (before != null) {
            numbers.remove(before);
        }
        numbers.put(directory, number);
        return true;
    }

    /**
     * Removes those that are not needed and do not lead to this one. Searches for them only now and then, because that
     * takes time.
     */
    private boolean makeSpace(String directory) throws IOException {
        if (timeout-- > 0) {
            return false;
        }
        timeout = Math.max(maximum, 1);
        Set<String> kept = wanted.get();
        for (Iterator<Map.Entry<Integer, String>> each = byNumber.entrySet().iterator(); each.hasNext();) {
            Map.Entry<Integer, String> watch = each.next();
            if (!kept.contains(watch.getValue()) && !directory.startsWith(watch.getValue())) {
                each.remove();
                numbers.remove(watch.getValue());
                inotify.remove(watch.getKey());
            }
        }
        return byNumber.size() < maximum;
    }

    /** {@return the directory that a watch is of, null if it has been given up} */
    synchronized String directory(int number) {
        return byNumber.get(number);
    }

    /**
     * Watches what was below this path no more: it is another directory now, or none.
     *
     * @param directory with a slash at its end
     */
    synchronized void forget(String directory) throws IOException {
        for (Iterator<Map.Entry<Integer, String>> each = byNumber.entrySet().iterator(); each.hasNext();) {
            Map.Entry<Integer, String> watch = each.next();
            if (watch.getValue().startsWith(directory)) {
                each.remove();
                numbers.remove(watch.getValue());
                inotify.remove(watch.getKey());
            }
        }
    }

    /** {@return whether no event of another watched directory reports the renaming of this one} */
    boolean isRoot(String directory) {
        return root.isRoot(directory);
    }

    int size() {
        return numbers.size();
    }
}
