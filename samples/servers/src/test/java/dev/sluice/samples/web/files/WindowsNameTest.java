package dev.sluice.samples.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.WindowsNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsNameTest {

    private static List<String> devices() {
        List<String> devices = new ArrayList<>(List.of("CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"));
        for (char digit : "123456789\u00b9\u00b2\u00b3".toCharArray()) {
            devices.add("COM" + digit);
            devices.add("LPT" + digit);
        }
        return devices;
    }

    /** {@return the name in each mixture of small letters and capitals} */
    private static List<String> inAllCases(String name) {
        if (name.isEmpty()) {
            return List.of("");
        }
        List<String> all = new ArrayList<>();
        for (String rest : inAllCases(name.substring(1))) {
            all.add(name.charAt(0) + rest);
            all.add(name.substring(0, 1).toLowerCase(Locale.ROOT) + rest);
        }
        return all;
    }

    @Test
    void recognisesDevicesWithWhatMayFollow() {
        for (String device : devices()) {
            for (String name : inAllCases(device)) {
                for (String end : List.of("", ".", " ", ".txt", " .txt", "  .a.b", ":", ":x", " :", ".\n", "::$DATA")) {
                    assertTrue(WindowsName.isElsewhere(name + end), name + end);
                }
            }
        }
    }

    @Test
    void leavesWhatResemblesDevices() {
        for (String device : devices()) {
            for (String name : List.of("x" + device, device + "x", device + "-.txt", device + " x", " " + device,
                    "." + device, "a." + device, device + device, device + "~")) {
                assertFalse(WindowsName.isElsewhere(name), name);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "index.html", ".htaccess", "..a", "a b", " a", "a..b", "COM", "com0", "COM10",
        "com\u2074", "lpt\uff11", "n\u00fcl", "con\u0131n$", "~", "a~", "a.b~1", "page.html~", "~x y.html",
        "document~1", "ninechar~1.txt", "PROGRA~1.html", "PROGRA~1.a.b", "a.~1~", "%5c", "%2e%2e", "caf\u00e9",
        "\ud83d\udc0b", "$MFT", "a;b", "a'b&c=d,e+f!g@h"})
    void leavesOrdinaryNames(String name) {
        assertFalse(WindowsName.isElsewhere(name), name);
    }

    @Test
    void recognisesNamesThatClientsTry() {
        assertEquals(List.of(), WindowsNames.ALL.stream().filter(name -> !WindowsName.isElsewhere(name)).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a~1", "~1", "~1.TXT", "ABCDEF~1", "ABCDE~12.H", "A~123456.HTM", "AB1234~1",
        "FIRST~QX.C", "A B~1.TXT", "a~b~c"})
    void recognisesShortNamesAndDots(String name) {
        assertTrue(WindowsName.isElsewhere(name), name);
    }

    /** Wherever they are; those at the end have a meaning of their own. */
    @Test
    void recognisesCharactersThatNoFileCanHave() {
        StringBuilder recognised = new StringBuilder();
        for (char each = ' '; each < Character.MAX_VALUE; each++) {
            boolean inside = WindowsName.isElsewhere("a" + each + "b-long-name");
            assertEquals(inside, WindowsName.isElsewhere(each + "b-long-name"), () -> "at the beginning");
            boolean atEnd = WindowsName.isElsewhere("long-name-" + each);
            assertEquals(inside || each == ' ' || each == '.', atEnd, () -> "at the end");
            if (inside) {
                recognised.append(each);
            }
        }
        assertEquals("\"*/:<>?\\|", recognised.toString());
        for (char each = 0; each < ' '; each++) {
            assertTrue(WindowsName.isElsewhere("a" + each + "b"), "control character " + (int) each);
        }
    }
}
