/*
 * The function of iphlpapi.dll that HotSpot's net.dll imports and Wine 8 does not have. It finds no anycast address, as
 * on most machines.
 */
#include <winsock2.h>
#include <ws2ipdef.h>
#include <iphlpapi.h>
#include <netioapi.h>

__declspec(dllexport) NETIO_STATUS WINAPI NoAnycast(ADDRESS_FAMILY family, PMIB_ANYCASTIPADDRESS_TABLE *found) {
    PMIB_ANYCASTIPADDRESS_TABLE none = HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, sizeof *none);

    (void) family;
    *found = none;
    return none == NULL ? ERROR_NOT_ENOUGH_MEMORY : NO_ERROR;
}
