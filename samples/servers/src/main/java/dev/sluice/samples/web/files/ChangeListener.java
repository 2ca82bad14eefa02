package dev.sluice.samples.web.files;

import java.util.Set;

/** Notified by a {@link FileWatch} of changes below a root, on the watch's own thread. */
interface ChangeListener {

    /**
     * Called when a file or a directory may have been created, changed, replaced, renamed or removed.
     *
     * @param directory its directory's path in a URL, with a slash at its end
     * @param name      its name there
     * @param below     whether paths may lead to something else that go through it
     */
    void changed(String directory, String name, boolean below);

    /** Called when events have been lost: any file may have changed. */
    void anythingChanged();

    /** {@return the directories to watch, with those that lead there; called by any thread} */
    Set<String> wanted();
}
