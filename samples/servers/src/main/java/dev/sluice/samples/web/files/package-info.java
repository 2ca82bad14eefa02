/**
 * The files below a root, as JAWS's Cached Virtual Filesystem sees them: found by the path of a URL, kept open, and
 * dropped when they change. Knows of media types and versions, and nothing of requests.
 *
 * <p>A {@link dev.sluice.samples.web.files.CachedFileSystem} finds a {@link dev.sluice.samples.web.files.Resource}: an
 * open {@link dev.sluice.samples.web.files.FileEntry}, or the reason why there is none. An entry counts its users. The
 * cache is one of them, each transfer another, and the file is closed when the last has left, so that a file can be
 * replaced or evicted in the middle of a transfer without harming it. Which entry makes room for another is the
 * {@link dev.sluice.samples.web.files.CacheStrategy}; the results are in its {@link
 * dev.sluice.samples.web.files.CacheStatistics}. Files that are mapped share a budget. One that finds it spent is read,
 * for to unmap another one might be the wrong choice a moment later. Nothing is pinned (mlock(2)): what is asked for
 * often stays in the system's cache without that, which knows what else needs the memory; and how much may be locked is
 * a small limit for most users (RLIMIT_MEMLOCK), beyond which it takes a privilege.
 *
 * <p>A file may be there in a {@link dev.sluice.samples.web.files.ContentCoding}, too: in one beside it, which is an
 * entry like every other, or made of it. The latter is a file without a name in the directory for temporary ones; it
 * belongs to the entry of the plain version, goes with it, and so needs neither a budget nor a check of its own. The
 * thread that first asks for it compresses it, and its other connections wait, which is why there is a largest size.
 *
 * <p><b>What is guaranteed about the root.</b> A path is followed from the root on, each directory opened within the
 * one before ({@code openat}), and the file within the last one. None of these steps follows a symbolic link: a link is
 * read, and its parts are followed in the same way. One that leads out of the root is left to the system; if it comes
 * back, its real path is followed from the root on, and if it does not, there is no such file. So a directory that is
 * replaced by a link, at whatever moment, leads nothing outside: what was opened had been found below the root, step by
 * step. What is watched is that open directory, and so is what is listed, which systems other than Linux look up again
 * in the same way. A replacement arrives in the one that was found when the request began, gets its name there, and is
 * removed there if it fails, also if that directory is called otherwise by then. If that directory is moved out of the
 * root meanwhile, the file is there.
 *
 * <p>The root's own path is followed when the server starts, and its real path is opened for each search: a user who
 * may replace the root or a directory above it decides what is served. Hard links and mounts are not looked through:
 * what is under their names is below the root. Only regular files are opened; what is a FIFO by the time it is opened
 * is closed again, and makes no thread wait. A directory on the way need not be readable on Linux; elsewhere it must
 * be.
 *
 * <p>A user's directory is another root: the home of the user is followed when it is asked for, and {@code public_html}
 * is opened within it for each search, as a directory that is no link. It belongs to the user, who may replace it at
 * any time; so the same holds of it as of a directory below the root.
 *
 * <p>On Windows, a path is followed by the system to a real path, which must lie below the root's. The system is asked
 * for the path of what has been opened, and if that is not the one that was followed, it is closed unread. A file that
 * is being replaced keeps the directories above it from being renamed. What may happen while a directory is replaced by
 * a link is that an empty file appears where the link leads, until it is removed; and that a page lists a name that is
 * there as well as in the directory.
 *
 * <p><b>Which names are refused.</b> The parts of a path are looked at before the system is asked for it. An empty one,
 * {@code .}, {@code ..}, and one with a backslash or a control character are refused on all systems. Windows takes more
 * names for something else: a drive or a stream ({@code c:x}, {@code x::$DATA}), a device ({@code nul},
 * {@code aux.txt}, {@code COM1}), a pattern ({@code *.txt}), a short name ({@code PROGRA~1}), and one from which it
 * drops dots or spaces at the end. There, all of these are refused, even where a file is called so. On other systems
 * they are names like all others, and served. A refused name is absent: a request for it gets what it gets where there
 * is no file, a PUT gets a conflict, no page lists it, and as an index page it is none. A short name is recognised by
 * its form: eight characters at most, and three after a dot, with a tilde before the last one of the eight. A short
 * name without a tilde, which an administrator can give to a file, is another name of a file below the root, as one in
 * letters of the other case is.
 *
 * <p><b>What is guaranteed about versions.</b> A file is a new version when its inode, its size or its modification
 * time is another, which Linux counts in ticks of a few milliseconds: two changes within one tick that leave the size
 * as it is look like one. A change is noticed after the cache's check interval at the latest. Where the system reports
 * changes (inotify), a {@link dev.sluice.samples.web.files.FileWatch} detects most of them immediately: of those on
 * this machine, in the directories that lead to a file without a symbolic link, of which a number is watched. When the
 * system has lost some, everything is dropped.
 */
package dev.sluice.samples.web.files;
