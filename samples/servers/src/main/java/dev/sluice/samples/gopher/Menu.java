package dev.sluice.samples.gopher;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.samples.lines.Unprintable;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DirectoryEntry;
import java.util.List;

/** The lines of a menu, or of an error. */
final class Menu {

    private static final String END = ".\r\n";

    private Menu() {
    }

    /** {@return what is in a directory with this path, with the name and the port of the server in each line} */
    static byte[] of(String path, List<DirectoryEntry> entries, CachedFileSystem files, String host, int port) {
        StringBuilder menu = new StringBuilder();
        String parent = path.equals("/") ? "/" : path + "/";
        for (DirectoryEntry entry : entries) {
            String name = entry.name();
            if (Selector.isName(name)) {
                ItemType type = entry.isDirectory() ? ItemType.MENU : ItemType.of(files.type(name));
                menu.append(type.code()).append(Unprintable.escape(name)).append('\t')
                        .append(parent).append(name).append('\t').append(host).append('\t').append(port).append("\r\n");
            }
        }
        return menu.append(END).toString().getBytes(UTF_8);
    }

    /** {@return the line that takes the place of a reply} */
    static byte[] error(String message) {
        return (ItemType.ERROR.code() + message + "\t\terror.host\t1\r\n" + END).getBytes(UTF_8);
    }
}
