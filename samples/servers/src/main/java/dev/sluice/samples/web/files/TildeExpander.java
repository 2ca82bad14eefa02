package dev.sluice.samples.web.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.RegularFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Tilde Expander of JAWS: leads from the login of a user to the directory {@value #DIRECTORY} in the user's home,
 * by a hash that holds the logins of a file such as {@code /etc/passwd}. The hash is built again when that file has
 * changed. The superuser has no such directory. Any thread may use it.
 */
public final class TildeExpander {

    /** What of a home is served. */
    static final String DIRECTORY = "public_html";

    private static final Logger LOG = LoggerFactory.getLogger(TildeExpander.class);

    private static final int LARGEST = 64 << 20;
    // The fields of a line (passwd(5)).
    private static final int FIELDS = 7;
    private static final int LOGIN = 0;
    private static final int USER = 2;
    private static final int HOME = 5;
    private static final String SUPERUSER = "0";

    private final Path passwd;
    private volatile Users users;

    /** Which file it is, by its inode where there are some, and in which version. */
    private record Version(Object inode, long size, FileTime modified) {
    }

    /** The homes by login, as a version of the file has them; the version is null while the file cannot be read. */
    private record Users(Version version, Map<String, String> homes) {
    }

    /**
     * Reads a file of users.
     *
     * @param passwd the file, in the format of passwd(5)
     * @throws IOException if it cannot be read
     */
    public TildeExpander(Path passwd) throws IOException {
        this.passwd = passwd;
        this.users = read(version());
    }

    /** Follows links: the file may be one. */
    private Version version() throws IOException {
        BasicFileAttributes status = Files.readAttributes(passwd, BasicFileAttributes.class);
        return new Version(status.fileKey(), status.size(), status.lastModifiedTime());
    }

    /** The version was taken before: a file that changes meanwhile is read again by the next search. */
    private Users read(Version version) throws IOException {
        Map<String, String> homes = new HashMap<>();
        new String(RegularFile.read(passwd, LARGEST), UTF_8).lines().forEach(line -> add(line, homes));
        return new Users(version, Map.copyOf(homes));
    }

    private static void add(String line, Map<String, String> homes) {
        String[] fields = line.split(":", -1);
        if (fields.length == FIELDS && !fields[LOGIN].isEmpty() && fields[HOME].startsWith("/")
                && !fields[USER].equals(SUPERUSER)) {
            // As getpwnam(3), which takes the first one.
            homes.putIfAbsent(fields[LOGIN], fields[HOME]);
        }
    }

    /**
     * {@return the directory that is served for a user; null if there is no such user, or no such directory}
     *
     * @param login the user's
     */
    DocumentRoot expand(String login) {
        String home = current().homes().get(login);
        try {
            return home == null ? null : DocumentRoot.within(Path.of(home), DIRECTORY);
        } catch (IOException | InvalidPathException e) {
            LOG.debug("{} of {}", DIRECTORY, login, e);
            return null;
        }
    }

    /** The status costs one system call more beside those that open a file; what is in the cache costs none. */
    private Users current() {
        Users known = users;
        try {
            Version now = version();
            return now.equals(known.version()) ? known : readAgain(now);
        } catch (FileSystemException e) {
            return keep(known, e);
        } catch (IOException e) {
            // There is no descriptor left, perhaps.
            LOG.debug("{}", passwd, e);
            return known;
        }
    }

    /** One thread reads; the others wait for it, and find what it has read. */
    private synchronized Users readAgain(Version now) throws IOException {
        if (!now.equals(users.version())) {
            users = read(now);
            LOG.info("{}: {} users", passwd, users.homes().size());
        }
        return users;
    }

    /** The users stay who they were; that is logged once, and not again until the file can be read. */
    private synchronized Users keep(Users known, FileSystemException problem) {
        if (users == known && known.version() != null) {
            LOG.warn("the users stay as they are: {}", FileProblem.describe(problem));
            users = new Users(null, known.homes());
        }
        return users;
    }
}
