package dev.sluice.handle;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of the kernel. */
public final class LinuxVersion {

    private LinuxVersion() {
    }

    /** {@return whether the kernel is Linux, and not older than a version} */
    public static boolean isAtLeast(int major, int minor) {
        Matcher version = Pattern.compile("(\\d+)\\.(\\d+).*").matcher(System.getProperty("os.version"));
        if (!System.getProperty("os.name").equals("Linux") || !version.matches()) {
            return false;
        }
        int here = Integer.parseInt(version.group(1));
        return here > major || here == major && Integer.parseInt(version.group(2)) >= minor;
    }
}
