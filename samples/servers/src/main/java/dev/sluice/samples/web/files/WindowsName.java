package dev.sluice.samples.web.files;

import java.util.regex.Pattern;

/**
 * Recognizes names that Windows does not interpret as files of that name. Decides by the name alone, without the
 * system, which might open a device or contact another machine.
 */
final class WindowsName {

    /** Alone, or before a dot or a colon, however many spaces are between (RtlIsDosDeviceName_U of the system). */
    private static final Pattern DEVICE = Pattern.compile(
            "(CON|PRN|AUX|NUL|CONIN\\$|CONOUT\\$|(COM|LPT)[1-9\u00b9\u00b2\u00b3]) *([.:].*)?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /**
     * What the system calls a file with a longer name, in eight characters and three: NTFS puts digits after the tilde,
     * Samba and Wine put letters there, too.
     */
    private static final Pattern SHORT = Pattern.compile("(?=[^.]{1,8}(\\.|$))[^.]*~[^.]+(\\.[^.]{0,3})?");

    /** Of a drive or a stream, of a path, and of patterns that stand for any name that matches. */
    private static final String SPECIAL = ":\\/*?\"<>|";

    private WindowsName() {
    }

    /** {@return whether Windows takes this part of a path for something else} */
    static boolean isElsewhere(String name) {
        return name.isEmpty()
                // The system drops those, and what is left is another name, or the same directory, or the one above.
                || name.endsWith(".") || name.endsWith(" ")
                || name.chars().anyMatch(each -> each < ' ' || SPECIAL.indexOf(each) >= 0)
                || DEVICE.matcher(name).matches()
                || SHORT.matcher(name).matches();
    }
}
