package dev.sluice.samples.web.files;

import java.util.Set;

/** Is told by a {@link FileWatch} what has changed below a root, by the watch's own thread. */
interface ChangeListener {

    /**
     * Something has happened to a file or a directory: it may have been made, changed, replaced, renamed or removed.
     *
     * @param directory its directory's path in a URL, with a slash at its end
     * @param name      its name there
     * @param below     whether paths may lead to something else that go through it
     */
    void changed(String directory, String name, boolean below);

    /** Nobody knows what has happened. */
    void anythingChanged();

    /** {@return the directories of which it wants to be told, with those that lead there; called by any thread} */
    Set<String> wanted();
}
